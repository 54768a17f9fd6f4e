"""Contracts: what every implementation of a plug point has to pass."""
