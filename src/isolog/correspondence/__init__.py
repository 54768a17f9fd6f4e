"""The theory, one definition or theorem per file."""
