"""Programs in the languages of other systems: Soufflé, Nemo, clingo, SPARQL, OWL 2 and SQL."""
