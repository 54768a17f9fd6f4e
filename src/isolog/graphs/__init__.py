"""Coloured graphs."""
