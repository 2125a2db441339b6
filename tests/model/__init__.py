"""Tests of the description: what a person may write, what is refused, what a file keeps."""
