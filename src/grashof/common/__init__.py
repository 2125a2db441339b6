"""What every package uses: errors, words, files, progress."""
