"""The program that a network equals: flat, layered, or as a cover of data."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from isolog.concepts.counting import derivations
from isolog.concepts.cover import SortedGraph, cover
from isolog.concepts.flat import flat_rules
from isolog.concepts.flat_rules import Budget, Head
from isolog.concepts.layered import layered_program
from isolog.correspondence.bracket import Bracket, Side
from isolog.correspondence.bracketed import concepts_of_bracket
from isolog.correspondence.concepts_of_network import Extraction
from isolog.correspondence.direct import Output, direct_rules
from isolog.correspondence.extract_checks import check_request, derived_outputs
from isolog.correspondence.extract_encoded import Progress, Request, extract_encoded
from isolog.correspondence.extracted import Extracted, Form, Scope, plain_result, told
from isolog.correspondence.meanings import meanings
from isolog.datalog.syntax import Program
from isolog.datalog.tree_rules import to_program
from isolog.encodings.canonical import encode
from isolog.errors import LimitError
from isolog.facts.dataset import Dataset
from isolog.facts.signature import Signature, restrict
from isolog.networks.network import Network

MOST_RULES = 200


def extract(
    network: Network,
    *,
    form: Form = "flat",
    data: Dataset | None = None,
    predicate: Sequence[str] = (),
    canonical: bool = False,
    expand_counts: bool = False,
    max_atoms: int | None = None,
    max_rules: int | None = None,
    seconds: float | None = None,
    bracket: Side | None = None,
    ignore_unknown: bool = False,
    progress: Progress = lambda derivations, atoms, rules: None,
) -> Extracted:
    """The program that the network equals, as far as the budget goes.

    `flat` are the minimal tree-like rules, smallest first, 200 unless `max_rules` says otherwise; `layered` is the
    whole program with auxiliary predicates, whatever the budget; `cover` is a short list of rules from which all that
    the network derives on the data follows. `predicate` restricts the heads, `bracket` rounds the network first.

    >>> from isolog.networks.network import Layer
    >>> network = Network.canonical(Signature.of(["A"], ["r"]), [Layer.from_fractions([[0]], [[[1]]], [0])])
    >>> found = extract(network)
    >>> found.complete, str(found).splitlines()[-1]
    (True, 'A(X) :- r(X, Y), A(Y).')
    """
    start = time.monotonic()
    check_request(network, form, data is not None, bracket is not None, canonical)
    known = None if data is None else restrict(data, network.signature, ignore_unknown)
    most_rules = MOST_RULES if max_rules is None and form == "flat" else max_rules
    request = Request(form, known, expand_counts, bracket, Budget(max_atoms, most_rules, seconds), progress)
    if network.encoding.name != "canonical" and not canonical:
        rounding, result = extract_encoded(network, predicate, request)
    else:
        rounding, result = _extract_canonical(network, derived_outputs(network, predicate), request)
    scope = Scope(canonical, tuple(predicate), known, rounding)
    return told(network, result, scope, time.monotonic() - start)


def _extract_canonical(network: Network, outputs: Sequence[int], request: Request) -> tuple[Bracket | None, Extracted]:
    """The rounding, if any, and the program over the features and colours of the network."""
    start, seconds = time.monotonic(), request.budget.seconds
    try:
        rounding, extraction = concepts_of_bracket(
            network, request.bracket, request.data, seconds, outputs, budget=request.concepts
        )
    except LimitError:
        if request.form != "flat" or request.bracket is not None:
            raise
        return None, _searched(network, outputs, request)
    heads = [Head(network.features[output], extraction.heads[output][0]) for output in outputs]
    number = sum(derivations(extraction.concepts, [head.concept for head in heads]))
    request.progress(number, 0, 0)
    budget = request.budget.less(time.monotonic() - start)
    job = _Job(extraction, heads, number, budget, request.expand_counts, request.progress)
    return rounding, job.of_form(request.form, request.data)


def _searched(network: Network, outputs: Sequence[int], request: Request) -> Extracted:
    """The flat program of a network with too many concepts, by the direct search."""
    found = direct_rules(network, heads=[Output(output) for output in outputs], budget=request.budget)
    signature = Signature.of(network.features, network.colours)
    program = to_program(found.rules, signature, counts=not request.expand_counts)
    return plain_result("flat", program, found.complete, found.complete_up_to_atoms)


@dataclass(frozen=True, slots=True)
class _Job:
    """What every form needs."""

    extraction: Extraction
    heads: list[Head]
    derivations: int
    budget: Budget
    expand_counts: bool
    progress: Progress

    @property
    def signature(self) -> Signature:
        """The predicates that the program speaks about."""
        network = self.extraction.network
        return Signature.of(network.features, network.colours)

    def of_form(self, form: Form, data: Dataset | None) -> Extracted:
        """The result, but for what it says of itself."""
        if form == "cover":
            assert data is not None
            return self.cover(data)
        return self.flat() if form == "flat" else self.layered()

    def flat(self) -> Extracted:
        """The minimal rules."""
        network = self.extraction.network
        names = network.features, network.colours
        watch = partial(self.progress, self.derivations)
        found = flat_rules(self.extraction.concepts, self.heads, self.extraction.sorts, names, self.budget, watch)
        program = to_program(found.rules, self.signature, counts=not self.expand_counts)
        return self._result("flat", program, found.complete, found.complete_up_to_atoms)

    def layered(self) -> Extracted:
        """The whole program with auxiliary predicates."""
        concepts = self.extraction.concepts
        meant = meanings(self.extraction)
        names = {node: meaning.name for node, meaning in meant.items()}
        made = layered_program(concepts, [(head.name, head.concept) for head in self.heads], self.signature, names)
        last, remarks = "", list[str]()
        for rule in made.program:
            node = made.meaning.get(rule.head.name)
            new = node is not None and rule.head.name != last
            remarks.append(_remark(rule.head.name, meant[node].text if node in meant else "") if new else "")
            last = rule.head.name
        return replace(self._result("layered", made.program, True, None), remarks=tuple(remarks))

    def cover(self, data: Dataset) -> Extracted:
        """Rules from which follows what the network derives on the data."""
        found = self.extraction
        names = found.network.features, found.network.colours
        graph = SortedGraph.of_one_sort(encode(data, self.signature), found.sorts)
        made = cover(found.concepts, self.heads, graph, names, self.budget)
        program = to_program(made.rules, self.signature, counts=not self.expand_counts)
        remarks = tuple(map(_supported, made.support, made.new))
        return replace(self._result("cover", program, made.complete, None), support=made.support, remarks=remarks)

    def _result(self, form: Form, program: Program, complete: bool, up_to: int | None) -> Extracted:
        nodes = len(self.extraction.concepts.reachable(head.concept for head in self.heads))
        return replace(plain_result(form, program, complete, up_to), derivations=self.derivations, concept_nodes=nodes)


def _remark(name: str, text: str) -> str:
    return f"{name}: {text}." if text else f"{name}: a part that several rules share."


def _supported(support: int, new: int) -> str:
    facts = "1 fact" if support == 1 else f"{support:,} facts"
    return f"derives {facts}, {'all' if new == support else f'{new:,}'} of them not derived by rules above"
