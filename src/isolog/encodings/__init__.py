"""Encodings of datasets as coloured graphs."""
