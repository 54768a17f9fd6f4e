"""Concepts: what a vertex satisfies, as one hash-consed graph."""
