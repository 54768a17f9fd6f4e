"""Matchings: whether everything that is wanted can be given something of its own (Hall's condition)."""

from __future__ import annotations

from collections.abc import Sequence


def has_matching(choices: Sequence[Sequence[int]]) -> bool:
    """Whether each of the wanted gets one of its choices and no two the same, by augmenting paths.

    >>> has_matching([[0, 1], [0]]), has_matching([[0], [0]])
    (True, False)
    """
    taken_by: dict[int, int] = {}

    def place(wanted: int, tried: set[int]) -> bool:
        for choice in choices[wanted]:
            if choice not in tried:
                tried.add(choice)
                if choice not in taken_by or place(taken_by[choice], tried):
                    taken_by[choice] = wanted
                    return True
        return False

    return all(place(wanted, set()) for wanted in range(len(choices)))
