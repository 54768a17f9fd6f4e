"""`python -m isolog` is the `isolog` command."""

from isolog.cli import main

if __name__ == "__main__":
    main()
