"""The bundled sample: a family's knowledge graph of any size, with what follows from it as ground truth."""

from __future__ import annotations

import random
from collections import Counter, deque
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import combinations

from isolog.facts.dataset import Dataset
from isolog.facts.terms import Atom

PRESENT = 2020
_NAMES = {
    "female": "ann eve ida mia zoe lea amy joy kim liv nora rosa vera tess jane iris ruth emma olga dora",
    "male": "bob tom max leo ian sam hal jim ned gus otto karl emil hugo paul fred walt igor noel dean",
}


@dataclass(frozen=True, slots=True)
class Person:
    """One person; the parents are both known or both unknown."""

    name: str
    gender: str
    born: int
    mother: Person | None = None
    father: Person | None = None

    @property
    def age_group(self) -> str:
        """`child`, `adult` or `elder` in the year of the sample."""
        age = PRESENT - self.born
        return "child" if age < 18 else "adult" if age < 65 else "elder"

    @property
    def parents(self) -> tuple[Person, ...]:
        """Mother and father, as far as they are known."""
        return tuple(person for person in (self.mother, self.father) if person is not None)


@dataclass(frozen=True, slots=True)
class Family:
    """`facts` is what a network gets to see, `derived` what follows from it by the rules of `true_rules`."""

    facts: Dataset
    derived: Dataset
    persons: int


def generate_family(persons: int = 200, seed: int = 0) -> Family:
    """A family of so many persons over a few generations; the same seed gives the same facts.

    >>> family = generate_family(persons=50, seed=1)
    >>> family.persons, family.facts == generate_family(persons=50, seed=1).facts
    (50, True)
    """
    tree = _grow(persons, random.Random(seed))
    return Family(Dataset.from_facts(_facts(tree)), Dataset.from_facts(_derived(tree)), len(tree.people))


def true_rules() -> str:
    """The Datalog text of the rules that `Family.derived` follows from."""
    return files("isolog.facts").joinpath("family.dl").read_text(encoding="utf-8")


@dataclass(slots=True)
class _Tree:
    chance: random.Random
    people: list[Person] = field(default_factory=list)
    couples: list[tuple[Person, Person]] = field(default_factory=list)
    _named: Counter[str] = field(default_factory=Counter)

    def arrive(self, gender: str, born: int, mother: Person | None = None, father: Person | None = None) -> Person:
        """A new person, named after the first free name."""
        names = _NAMES[gender].split()
        round_, place = divmod(self._named[gender], len(names))
        self._named[gender] += 1
        person = Person(names[place] + (str(round_ + 1) if round_ else ""), gender, born, mother, father)
        self.people.append(person)
        return person

    def marry(self, person: Person) -> tuple[Person, Person]:
        """The couple of the person and somebody new: wife first."""
        other = "male" if person.gender == "female" else "female"
        spouse = self.arrive(other, person.born + self.chance.randint(-4, 4))
        self.couples.append((person, spouse) if person.gender == "female" else (spouse, person))
        return self.couples[-1]


def _grow(persons: int, chance: random.Random) -> _Tree:
    """Couples have children, most children marry somebody new; when a family dies out, another couple arrives."""
    tree = _Tree(chance)
    waiting = deque[tuple[Person, Person]]()
    genders = ["female", "male"]
    while len(tree.people) < persons:
        if not waiting:
            founder = tree.arrive(chance.choice(genders), chance.randint(1925, 1960))
            if len(tree.people) < persons:
                waiting.append(tree.marry(founder))
            continue
        mother, father = waiting.popleft()
        born = mother.born + chance.randint(19, 28)
        for _ in range(chance.choice([0, 1, 2, 2, 3, 3, 4])):
            if born > PRESENT or len(tree.people) == persons:
                break
            child = tree.arrive(chance.choice(genders), born, mother, father)
            if born < PRESENT - 22 and chance.random() < 0.75 and len(tree.people) < persons:
                waiting.append(tree.marry(child))
            born += chance.randint(1, 5)
    return tree


def _facts(tree: _Tree) -> list[Atom]:
    facts: list[Atom] = []
    for person in tree.people:
        facts += [Atom(name, (person.name,)) for name in ("person", person.gender, person.age_group)]
        facts += [Atom("parent", (parent.name, person.name)) for parent in person.parents]
    for one, other in tree.couples:
        facts += [Atom("spouse", (one.name, other.name)), Atom("spouse", (other.name, one.name))]
    return facts


def _derived(tree: _Tree) -> list[Atom]:
    """The facts that follow, computed from the tree itself and not by the rules."""
    children: dict[str, list[Person]] = {}
    for person in tree.people:
        for parent in person.parents:
            children.setdefault(parent.name, []).append(person)
    derived: list[Atom] = []
    for person in tree.people:
        own = children.get(person.name, [])
        grandchildren = [grandchild for child in own for grandchild in children.get(child.name, [])]
        derived += [Atom("father" if person.gender == "male" else "mother", (person.name, child.name)) for child in own]
        derived += [Atom("child_of", (child.name, person.name)) for child in own]
        derived += [Atom("grandparent", (person.name, grandchild.name)) for grandchild in grandchildren]
        for one, other in combinations(own, 2):
            derived += [Atom("sibling", (one.name, other.name)), Atom("sibling", (other.name, one.name))]
        if person.gender == "female" and grandchildren:
            derived.append(Atom("grandmother", (person.name,)))
        if len(own) >= 3:
            derived.append(Atom("large_family", (person.name,)))
        relation = "uncle" if person.gender == "male" else "aunt"
        for sibling in {s.name for parent in person.parents for s in children[parent.name]} - {person.name}:
            derived += [Atom(relation, (person.name, niece.name)) for niece in children.get(sibling, [])]
    return derived
