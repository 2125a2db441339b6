"""The one exception for bad input: its text is a sentence that names the thing, the value and what to do."""


class ModelError(ValueError):
    """A description that cannot be simulated as it stands; the message says what to change."""
