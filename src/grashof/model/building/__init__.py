"""Methods of the builder (`model.mechanism`), one file per subject."""
