"""Rules and programs: syntax, parser, printer, checks, normal forms."""
