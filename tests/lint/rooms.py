"""The house as the source has it: its rooms from lib/rooms.cmake and cmd/rooms.cmake, its files, and who includes whom.

A room is a folder; a unit is a header with the source of the same name.
"""
import dataclasses
import pathlib
import re

TABLES = ("lib/rooms.cmake", "cmd/rooms.cmake")


@dataclasses.dataclass
class Room:
    path: str  # "scheduler/cluster", "cmd/top"
    needs: list
    libraries: list
    doors: list


def rooms_of(root):
    """The declared rooms, by path, in the order of the tables."""
    rooms = {}
    for table in TABLES:
        text = re.sub(r"#.*", "", (root / table).read_text())
        for body in re.findall(r"gpu_room\(([^)]*)\)", text):
            path, *words = body.split()
            lists = {"NEEDS": [], "LIBRARIES": [], "DOORS": []}
            into = None
            for word in words:
                if word in lists:
                    into = lists[word]
                elif word != "SEPARATE":
                    into.append(word)
            rooms[path] = Room(path, lists["NEEDS"], lists["LIBRARIES"], lists["DOORS"])
    return rooms


def sources_of(root):
    return [p for top in ("lib", "cmd") for p in sorted((root / top).rglob("*.?pp"))]


def room_of(path, root):
    """The folder of a file, as rooms are called: lib/ is left out."""
    return str(path.relative_to(root).parent).removeprefix("lib/")


def included(path):
    """(line number, header, whether it is one of ours) of each #include."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if match := re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line):
            yield number, match.group(2), match.group(1) == '"'


def unit_of(path, root):
    return str(path.relative_to(root).with_suffix("")).removeprefix("lib/")


def unit_graph(root):
    """Which units each unit includes, header and source taken as one."""
    graph = {}
    for path in sources_of(root):
        edges = graph.setdefault(unit_of(path, root), set())
        edges |= {header.removesuffix(".hpp") for _, header, ours in included(path) if ours}
    return {unit: {other for other in others if other in graph and other != unit}
            for unit, others in graph.items()}


def knots_of(graph):
    """Sets of units that include each other in a circle, largest first (Tarjan)."""
    index, low, stack, knots = {}, {}, [], []

    def visit(unit):
        index[unit] = low[unit] = len(index)
        stack.append(unit)
        for other in graph[unit]:
            if other not in index:
                visit(other)
                low[unit] = min(low[unit], low[other])
            elif other in stack:
                low[unit] = min(low[unit], index[other])
        if low[unit] == index[unit]:
            knot = []
            while not knot or knot[-1] != unit:
                knot.append(stack.pop())
            if len(knot) > 1:
                knots.append(sorted(knot))

    for unit in graph:
        if unit not in index:
            visit(unit)
    return sorted(knots, key=len, reverse=True)


def longest_chain(graph, room):
    """The longest way from unit to unit inside one room, circles walked once."""
    inside = {unit: {o for o in others if o.rpartition("/")[0] == room}
              for unit, others in graph.items() if unit.rpartition("/")[0] == room}
    longest = {}

    def chain(unit, trail):
        if unit in longest:
            return longest[unit]
        best = [unit]
        for other in sorted(inside[unit]):
            if other not in trail:
                best = max(best, [unit, *chain(other, {*trail, other})], key=len)
        longest[unit] = best
        return best

    return max((chain(unit, {unit}) for unit in inside), key=len, default=[])
