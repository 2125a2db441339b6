"""Methods of the builder (`model.mechanism`), one file a subject."""
