#!/usr/bin/env python3
"""Holds every #include against the table of rooms (lib/rooms.cmake, cmd/rooms.cmake), and files against their sizes.

A room includes from lower rooms that it declares under NEEDS, and of these only what stands under DOORS. Units
(a header with its source) do not include each other in circles of more than three.
Usage: layout.py ROOT. Prints every finding, exits 1 if there is one.
"""
import pathlib
import re
import sys

import rooms

# Libraries and system headers that only some rooms may see: who talks to what is visible here.
ONLY = {
    r"curl/": r"kube/http",
    r"openssl/": r"kube/(config|http)",
    r"CLI/": r"cmd",
    r"yaml-cpp/": r"decode/wire",
    r"protozero/": r"decode/",
    r"nlohmann/json\.hpp": r"decode/|manifest|input/|kube/|telemetry/|report|cost/(prices|against)|lint/rules|cmd/(why_pending|connection|lint)",
    r"sys/socket\.h|netdb\.h|arpa/inet\.h|netinet/": r"kube/(config|http)",
    r"sys/wait\.h|spawn\.h|signal\.h|csignal|poll\.h": r"kube/(http|process|auth)",
    r"zlib\.h": r"base",
    r"expat\.h": r"telemetry/dialects",
    r"re2/": r"scheduler/cel",
    r"sys/ioctl\.h": r"base",
    r"fstream|filesystem": r"kube/|input/|telemetry/(live|prometheus)|cmd",
    r"unistd\.h|fcntl\.h": r"base|kube/|input/|telemetry/live",
}
MOST_IN_A_KNOT = 3
LONGEST_CHAIN = 6
MOST_FLOORS = 17
# A file of more lines is looked at twice; one idea a file is the rule.
SOFT_LIMIT = 600
MOST_CASES = 40


def include_findings(path, root, house):
    own = rooms.room_of(path, root)
    if own not in house:
        if own != "cmd":  # main.cpp
            yield f"{path.relative_to(root)}: its folder is no room: lib/rooms.cmake"
        return
    for number, header, ours in rooms.included(path):
        where = f"{path.relative_to(root)}:{number}"
        for pattern, allowed in ONLY.items():
            if re.match(pattern, header) and not re.match(allowed, own):
                yield f"{where}: {header} is not for {own}"
        other, _, name = header.rpartition("/")
        if not ours or other == own:
            continue
        if other not in house:
            yield f"{where}: {header} is in no room"
        elif other not in house[own].needs:
            yield f"{where}: {own} does not declare that it needs {other}"
        elif name.removesuffix(".hpp") not in house[other].doors:
            yield f"{where}: {name} is no door of {other}"


def table_findings(root, house):
    """Rooms that are declared and not there, needed and unused, doors that nobody opens, circles of rooms."""
    used, opened = {path: set() for path in house}, {path: set() for path in house}
    for source in rooms.sources_of(root):
        own = rooms.room_of(source, root)
        for _, header, ours in rooms.included(source):
            other, _, name = header.rpartition("/")
            if ours and other != own and other in house:
                used.get(own, set()).add(other)
                opened[other].add(name.removesuffix(".hpp"))
    level = {}
    for path, room in house.items():
        for other in room.needs:
            if other not in level:
                yield f"rooms.cmake: {path} needs {other}, which does not stand above it in the table"
        level[path] = 1 + max((level.get(other, 0) for other in room.needs), default=0)
        for other in sorted(set(room.needs) - used[path]):
            yield f"rooms.cmake: {path} includes nothing from {other}"
        for door in sorted(set(room.doors) - opened[path]):
            yield f"rooms.cmake: nobody includes {path}/{door}.hpp from outside: it is no door"


def shape_findings(root, house):
    graph = rooms.unit_graph(root)
    for knot in rooms.knots_of(graph):
        if len(knot) > MOST_IN_A_KNOT:
            yield f"{len(knot)} units include each other in circles: {', '.join(knot)}"
    for path in house:
        chain = rooms.longest_chain(graph, path)
        if len(chain) > LONGEST_CHAIN:
            yield f"{path}: a chain of {len(chain)} includes: {' -> '.join(u.rpartition('/')[2] for u in chain)}"
    floors = [p.name for p in (root / "lib").iterdir() if p.is_dir()]
    if len(floors) > MOST_FLOORS:
        yield f"lib has {len(floors)} floors, {MOST_FLOORS} can be read at a glance"


def namespace_findings(path, root):
    """The namespace is the floor: lib/scheduler/cluster is in gpu::scheduler. base and model are the words that all
    others speak in, and in gpu itself."""
    floor = rooms.room_of(path, root).split("/")[0]
    wanted = "gpu" if floor in ("base", "model") else f"gpu::{floor}"
    for name in re.findall(r"^namespace (gpu[\w:]*) \{", path.read_text(), re.M):
        if name != wanted and not name.startswith(f"{wanted}::"):
            yield f"{path.relative_to(root)}: is in {name}, its folder says {wanted}"


def crowd_findings(root):
    """Folders of golden cases in which nobody finds one."""
    for folder in sorted({p.parent.parent for p in (root / "tests/golden").rglob("case")}):
        count = sum(1 for _ in folder.glob("*/case"))
        if count > MOST_CASES:
            yield f"{folder.relative_to(root)}: {count} cases, {MOST_CASES} are allowed"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    house = rooms.rooms_of(root)
    sources = rooms.sources_of(root)
    tests = [p for p in sorted((root / "tests").rglob("*")) if p.suffix in (".cpp", ".hpp", ".py", ".go")]
    findings = [f for p in sources for f in include_findings(p, root, house)]
    findings += [f for p in sources for f in namespace_findings(p, root)]
    findings += table_findings(root, house)
    findings += shape_findings(root, house)
    findings += crowd_findings(root)
    findings += [f"{p.relative_to(root)}: a file named util says nothing; name the idea"
                 for p in sources + tests if "util" in p.stem]
    for finding in findings:
        print(finding)
    for path in sources + tests:
        if (lines := len(path.read_text().splitlines())) > SOFT_LIMIT:
            print(f"note: {path.relative_to(root)} has {lines} lines: is it one idea?")
    if not sources or not house:
        print("no sources or no rooms found: wrong root?")
        return 1
    print(f"{len(sources)} sources in {len(house)} rooms, {len(findings)} findings")
    return 1 if findings else 0


sys.exit(main())
