"""What an extraction hands over: a program, what it says about the network, and its text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from isolog.concepts.counting import about
from isolog.correspondence.bracket import Bracket
from isolog.datalog.printer import print_program, print_rule
from isolog.datalog.syntax import Program
from isolog.facts.dataset import Dataset
from isolog.networks.fingerprint import network_sha256
from isolog.networks.network import Network

Form = Literal["flat", "layered", "cover"]


@dataclass(frozen=True, eq=False, slots=True)
class Extracted:
    """A program with what is known of it.

    `complete` says that it is the whole program, or for a cover that it derives all that the network derives on the
    data; every rule of at most `complete_up_to_atoms` body atoms that holds follows from it (None: nothing promised).
    `derivations` counts the bodies of the flat program before any is dropped, `concept_nodes` what they are made of;
    both are None where concepts are too many and rules were searched directly.
    The text has the comments at its start, and `remarks` above rules.
    """

    form: Form
    complete: bool
    complete_up_to_atoms: int | None
    rules: int
    derivations: int | None
    concept_nodes: int | None
    bracket: Literal["exact", "sound", "complete"]
    seconds: float
    program: Program
    support: tuple[int, ...] | None
    comments: tuple[str, ...]
    remarks: tuple[str, ...] = ()

    def lines(self, title: str = "") -> Iterator[str]:
        """The text, line by line, with the title as its first comment; `parse` reads the program back."""
        heading = print_program(replace(self.program, rules=()), (title, *self.comments) if title else self.comments)
        yield from heading.splitlines(keepends=True)
        remarks = iter(self.remarks)
        for rule in self.program:
            remark = next(remarks, "")
            if remark:
                yield f"% {remark}\n"
            yield f"{print_rule(rule, self.program.prefixes)}\n"

    def __str__(self) -> str:
        return "".join(self.lines())


def plain_result(form: Form, program: Program, complete: bool, up_to: int | None) -> Extracted:
    """A result that says nothing of itself yet, nor of the concepts behind it."""
    return Extracted(form, complete, up_to, len(program), None, None, "exact", 0.0, program, None, comments=())


@dataclass(frozen=True, eq=False, slots=True)
class Scope:
    """Of what an extraction speaks: which datasets, predicates (none: all), data, and rounding if there is any."""

    canonical: bool
    heads: tuple[str, ...]
    data: Dataset | None
    rounding: Bracket | None


def told(network: Network, result: Extracted, scope: Scope, seconds: float) -> Extracted:
    """The result with everything that it says of itself."""
    side = "exact" if scope.rounding is None or scope.rounding.exact else scope.rounding.side
    return replace(result, bracket=side, comments=what_it_equals(network, result, scope), seconds=seconds)


def what_it_equals(network: Network, result: Extracted, scope: Scope) -> tuple[str, ...]:
    """The comments: what the program equals, how complete it is, and how many rules the whole has."""
    encoded = scope.canonical and network.encoding.name != "canonical"
    which = "all canonical datasets" if encoded else "all user datasets"
    only = f", of {', '.join(scope.heads)} only" if scope.heads else ""
    lines = [f"The network has sha256 {network_sha256(network)}."]
    subject = "the network"
    if scope.rounding is not None and not scope.rounding.exact:
        subject = "the rounded network"
        lines += _rounded(scope.rounding)
    lines += _claims(result, subject, which, only)
    if scope.data is not None:
        lines.append(f"The data have dataset_sha256 {scope.data.sha256}.")
    if result.derivations is None or result.concept_nodes is None:
        return (*lines, "Its concepts are too many: the rules were searched directly, and derivations not counted.")
    whole = f"The whole flat program has {about(result.derivations)} derivations before superfluous ones are dropped."
    return (*lines, f"{whole} Shared concepts: {result.concept_nodes:,}.")


def _rounded(rounding: Bracket) -> Iterator[str]:
    down = rounding.side == "sound"
    derives = "nothing that the network does not derive" if down else "all that the network derives, and perhaps more"
    yield f"Rounded {'down' if down else 'up'} to multiples of 2^-{rounding.bits}, it derives {derives}."
    if rounding.gap is not None:
        between, derived = len(rounding.gap.facts), len(rounding.gap.derived)
        yield f"On the data {between:,} facts lie between the roundings; the network derives {derived:,} of them."


def _claims(result: Extracted, subject: str, which: str, only: str) -> Iterator[str]:
    rules = "1 rule" if result.rules == 1 else f"{result.rules:,} rules"
    if result.form == "cover":
        much = "All facts" if result.complete else "Not all facts"
        yield f"Every rule holds on {which}: it derives what {subject} derives{only}."
        yield f"{much} that {subject} derives on the data follow from {rules} here."
    elif result.form == "layered":
        yield f"Equal to {subject} on {which}: it derives the same facts{only}, in {rules}."
    elif result.complete:
        yield f"Equal to {subject} on {which}: it derives the same facts{only}."
        yield f"Complete: this is the whole program, {rules}, none of which follows from the others."
    else:
        yield f"On {which} it derives what {subject} derives{only}, but not always all of it."
        up_to = result.complete_up_to_atoms
        if up_to is None:
            yield f"Not complete: {rules}, none of which follows from the others."
        else:
            atoms = "1 atom" if up_to == 1 else f"{up_to} atoms"
            yield f"Complete up to {atoms}: every rule with no more body atoms that holds follows from {rules} here."
