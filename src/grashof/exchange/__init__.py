"""Mechanisms in the files of other programs: one reader and one writer for each format."""
