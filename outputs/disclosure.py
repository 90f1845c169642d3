"""Which groups may be told of, so that no sum or difference of what is told is about fewer than 11 people.

Within a version the groups are nested or apart (all, a sex, an age group of a sex) and never cross: every
group that can be made of them by adding and subtracting is a union of *atoms*, an atom being a group less the
published groups within it. So it is enough that every atom is empty or has 11 people. Age groups of both
sexes would cross the sexes, and are not told.

Between two versions the smallest number of people that can be singled out is a minimum cut (``fewest_told``).
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from typing import NamedTuple

from outputs.strata import ALL, SEXES_WITH_STRATA

LEAST_PEOPLE = 11


class Group(NamedTuple):
    """A published group of people; ``all`` where it is not divided."""

    sex: str
    age_group: str


EVERYBODY = Group(ALL, ALL)


def safe_groups(people: Mapping[tuple[str, str | None], int]) -> list[Group]:
    """The groups that may be told, given how many people there are of each sex and age group.

    None where there are fewer than 11 in all. People of another sex than female or male, or without an age
    group, count in the wider groups only, and are protected as a small group is.
    """
    everybody = sum(people.values())
    if everybody < LEAST_PEOPLE:
        return []
    by_sex: dict[str, dict[str | None, int]] = {sex: {} for sex in SEXES_WITH_STRATA}
    for (sex, age_group), n in people.items():
        if sex in by_sex:
            by_sex[sex][age_group] = n
    groups = [EVERYBODY]
    for sex in _told(everybody, {sex: sum(ages.values()) for sex, ages in by_sex.items()}):
        ages = {age: n for age, n in by_sex[sex].items() if age is not None}
        groups.append(Group(sex, ALL))
        groups += [Group(sex, age) for age in _told(sum(by_sex[sex].values()), ages)]
    return groups


def _told(whole: int, parts: Mapping[str, int]) -> list[str]:
    """Parts of a published whole that may be published too: the rest must be empty or large enough.

    Complementary suppression: where the rest is small, the smallest part joins it, which makes it large.
    """
    told = {part: n for part, n in parts.items() if n >= LEAST_PEOPLE}
    if 0 < whole - sum(told.values()) < LEAST_PEOPLE and told:
        del told[min(told, key=lambda part: (told[part], part))]
    return sorted(told)


def atom_of(groups: Iterable[Group], sex: str, age_group: str | None) -> Group:
    """The smallest published group a person is in: who share one can't be told apart."""
    mine = [Group(sex, age_group or ""), Group(sex, ALL)]
    told = set(groups)
    return next((group for group in mine if group in told), EVERYBODY)


class Told(NamedTuple):
    """People of one kind: their atom in an older and in a newer version, None where they are in no group.

    same: whether their value is the same in both.
    """

    old: Group | None
    new: Group | None
    same: bool
    people: int


def fewest_told(kinds: Iterable[Told]) -> int:
    """The fewest people that any combination of two versions of a table singles out.

    A combination gives each atom of either version a factor. Somebody drops out of it where the factors of
    what they gave sum to zero: an unchanged value where both atoms have opposite factors, any other where its
    atom has none. With the newer version's factors negated, and 0 for "in no group", all who drop out stand
    between nodes of one factor. So who stays is cut by the factors, and the fewest are a minimum cut of the
    graph whose nodes are the atoms and "in no group", with each person an edge (old, new); one whose value
    changed binds old, new and "in no group", a triangle of half edges.
    """
    half_edges: defaultdict[frozenset[Hashable], int] = defaultdict(int)
    for kind in kinds:
        old, new = _node("old", kind.old), _node("new", kind.new)
        if old and new and not kind.same:
            for pair in ((old, new), (old, None), (None, new)):
                half_edges[frozenset(pair)] += kind.people
        elif old or new:
            half_edges[frozenset((old, new))] += 2 * kind.people
    return min((_minimum_cut(part) // 2 for part in _connected(half_edges)), default=0)


def _node(version: str, atom: Hashable | None) -> tuple[str, Hashable] | None:
    return None if atom is None else (version, atom)


Edges = Mapping[frozenset[Hashable], int]


def _connected(edges: Edges) -> list[Edges]:
    """The parts of a graph that hang together, each with its edges."""
    parts: list[tuple[set[Hashable], dict[frozenset[Hashable], int]]] = []
    for pair, weight in edges.items():
        touched = [part for part in parts if part[0] & pair]
        parts = [part for part in parts if not part[0] & pair]
        nodes, held = set(pair), {pair: weight}
        for part in touched:
            nodes |= part[0]
            held |= part[1]
        parts.append((nodes, held))
    return [held for _, held in parts]


def _minimum_cut(edges: Edges) -> int:
    """Weight of the lightest cut of a connected graph (Stoer and Wagner 1997, J. ACM 44:585)."""
    weights: defaultdict[Hashable, defaultdict[Hashable, int]] = defaultdict(lambda: defaultdict(int))
    for pair, weight in edges.items():
        one, other = pair
        weights[one][other] += weight
        weights[other][one] += weight
    lightest = sum(edges.values())
    while len(weights) > 1:
        before, last, cut = _last_of_phase(weights)
        lightest = min(lightest, cut)
        for node, weight in weights.pop(last).items():
            del weights[node][last]
            if node != before:
                weights[before][node] += weight
                weights[node][before] += weight
    return lightest


def _last_of_phase(
    weights: Mapping[Hashable, Mapping[Hashable, int]],
) -> tuple[Hashable, Hashable, int]:
    """The two nodes that join last when the most tightly bound joins next, and what binds the last one."""
    bound = dict.fromkeys(weights, 0)
    before = last = next(iter(bound))
    cut = 0
    while bound:
        before, last = last, max(bound, key=lambda node: bound[node])
        cut = bound.pop(last)
        for node, weight in weights[last].items():
            if node in bound:
                bound[node] += weight
    return before, last, cut
