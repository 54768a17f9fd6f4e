"""A page that shows one proof."""

from __future__ import annotations

from html import escape

from isolog.correspondence.explain import Explanation
from isolog.datalog.printer import print_rule
from isolog.facts.text import print_atom

STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
code, pre { font-family: ui-monospace, monospace }
.picture { overflow-x: auto }
"""


def proof_page(found: Explanation, picture: str) -> str:
    """The page, complete in itself."""
    fact, rule = escape(print_atom(found.fact)), escape(print_rule(found.rule))
    facts = "".join(f"<li><code>{escape(print_atom(each))}</code></li>" for each in found.facts)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{fact}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>\n'
        f"<body><h1><code>{fact}</code></h1>\n<p>by <code>{rule}</code></p>\n<ul>{facts}</ul>\n"
        f'<div class="picture">{picture}</div></body></html>\n'
    )
