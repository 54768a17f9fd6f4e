"""Networks, their exact meaning, their class, their files."""
