"""Datasets, signatures, operators, and the files they are read from and written to."""
