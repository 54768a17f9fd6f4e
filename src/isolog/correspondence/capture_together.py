"""Whether rules are captured (Lemma 1), for the head of one predicate: instances of a body in one application."""

from __future__ import annotations

from itertools import islice, repeat

from isolog.correspondence.capture import captures
from isolog.correspondence.derivations import Derivations, Output, derived_from
from isolog.correspondence.lemma1 import Instance
from isolog.correspondence.user_capture import instances
from isolog.datalog.syntax import Rule
from isolog.errors import LimitError, UnsupportedError

PER_RULE = 2_000
_FIRST_FEW, _TOGETHER = 40, 400


class CaptureTest:
    """Says of rules whether they are known to be captured: after `left` instances in all nothing is known any more.

    Under the canonical encoding, where merging siblings decides, the limit is that of each rule alone.
    """

    def __init__(self, output: Output, left: int) -> None:
        self.output = output
        self.left = left

    def __call__(self, rule: Rule) -> bool:
        """Whether every instance of the body derives the head, and there are few enough of them."""
        if self.output.encoding.name == "canonical":
            try:
                return captures(self.output.network, rule, limit=PER_RULE).captured
            except (LimitError, UnsupportedError):
                return False
        waiting = instances(rule, self.output.encoding.signature, [self.output.encoding.encoder])
        for count in _FIRST_FEW, *repeat(_TOGETHER, PER_RULE // _TOGETHER):
            chunk = list(islice(waiting, count))
            if not chunk:
                return True
            self.left -= len(chunk)
            if self.left < 0 or not self._all_derive(chunk):
                return False
        return next(waiting, None) is None

    def _all_derive(self, chunk: list[Instance]) -> bool:
        asked = [Derivations(self.output, each.fact, list(each.dataset)) for each in chunk]
        return all(holds for (holds,) in derived_from([(each, [(1 << len(each.facts)) - 1]) for each in asked]))
