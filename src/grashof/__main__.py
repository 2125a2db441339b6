"""`python -m grashof`: the command line, where the script `grashof` is not on the path."""

from grashof.cli import main

if __name__ == "__main__":
    main()
