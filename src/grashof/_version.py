"""The one place of the version: the package's metadata and the command line take it from here."""

__version__ = "0.1.0"
