"""Ranking: where a true fact stands among all facts with another term in one of its places."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isolog.correspondence.transformation import network_encoding
from isolog.facts.dataset import Dataset, Table
from isolog.facts.signature import restrict
from isolog.facts.terms import Predicate
from isolog.learning.evaluation import Scorer
from isolog.networks.network import Network


@dataclass(frozen=True, slots=True)
class Ranking:
    """The filtered mean reciprocal rank and the shares of ranks up to 1, 3 and 10; ties have their mean rank."""

    mrr: float
    hits_at_1: float
    hits_at_3: float
    hits_at_10: float


def rank(network: Network, data: Dataset, facts: Dataset, *, ignore_unknown: bool = False) -> Ranking:
    """Ranks every fact among those that replace one of its terms by any term of the data and are not known true."""
    encoding = network_encoding(network)
    known = restrict(data, encoding.signature, ignore_unknown)
    asked = restrict(facts, encoding.signature, ignore_unknown).over(known.vocabulary)
    scorer = Scorer(network, encoding.encode(known))
    true = known | asked
    ranks = [
        rank_of
        for predicate, table in asked.tables.items()
        for rank_of in _ranks(scorer, predicate, table, true.over(known.vocabulary).tables[predicate])
    ]
    found = np.array(ranks) if ranks else np.array([np.inf])
    at = [float((found <= most).mean()) for most in (1, 3, 10)]
    return Ranking(float((1 / found).mean()), *at)


def _ranks(scorer: Scorer, predicate: Predicate, table: Table, true: Table) -> list[float]:
    """Two ranks per binary fact, one per unary one."""
    terms = scorer.encoded.terms.numbers
    known = {tuple(row) for row in true.tolist()}
    ranks: list[float] = []
    for row in table:
        for place in range(predicate.arity):
            rows = np.repeat(row[None, :], len(terms) + 1, axis=0)
            rows[1:, place] = terms
            others = [n for n, each in enumerate(rows.tolist()) if n == 0 or tuple(each) not in known]
            ranks.append(_rank(_scores(scorer, predicate, rows[others])))
    return ranks


def _scores(scorer: Scorer, predicate: Predicate, rows: Table) -> NDArray[np.float64]:
    vertices, feature = scorer.encoded.positions(predicate, rows)
    scores = np.full(len(rows), -np.inf)
    reachable = np.flatnonzero(vertices >= 0)
    entries = np.column_stack([vertices[reachable], np.full(len(reachable), feature)])
    exact = scorer.entries(entries)
    order = {score: float(rank) for rank, score in enumerate(sorted(set(exact)))}
    scores[reachable] = [order[score] for score in exact]
    return scores


def _rank(scores: NDArray[np.float64]) -> float:
    """The mean rank of the first among all."""
    above, level = int((scores > scores[0]).sum()), int((scores == scores[0]).sum())
    return above + (level + 1) / 2
