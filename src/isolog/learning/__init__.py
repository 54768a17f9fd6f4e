"""Learning: networks trained to be read as programs, and how good they are."""
