"""Figures of a tree: sizes, doors, knots, chains, and where sentences of our own are read. Works on the rooms of
today and on older commits, whose folders under lib were flat: there a folder is a room.
"""
import collections
import dataclasses
import pathlib
import re
import statistics
import subprocess
import sys

import rooms

KEYWORDS = {"if", "for", "while", "switch", "catch", "do", "else", "try", "return"}
SKIPPED = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)'(?:\\.|[^'\\\n])+'""", re.S)
LAMBDA = re.compile(r"\]\s*(\((?:[^()]|\([^()]*\))*\))?\s*(mutable|noexcept)?\s*(->\s*[\w:<>,\s*&]+)?\s*$")
FUNCTION = re.compile(r"\)\s*((const|noexcept|override|final|mutable|&&?|->[\w:<>,\s*&]+|requires[^;{}]*)\s*)*$")
WORDS = "summary|text|what|why|help|nearest|patch"
MEMBER = re.compile(r"\).*:[^:]*\w\s*$", re.S)
READS = "find|rfind|replace|starts_with|ends_with|contains"
PROSE = re.compile(rf"""(\.|->)({WORDS})(\(\))?\.({READS})\(
                      | (?<![\w.>])(summary|what|why|help|patch)\.({READS})\(
                      | \b(contains|{READS})\([\w.*>()-]*(\.|->)({WORDS})\b(\(\))?\s*,
                      | (\.|->)({WORDS})(\(\))?\s*[!=]=\s*[^=]
                      | [!=]=\s*[\w.*]+(\.|->)({WORDS})\b(?!\()""", re.X)
# Where members of these names hold what others wrote: tokens of an expression, the parser's messages.
FOREIGN = re.compile(r"lib/(decode/|scheduler/cel/|schedule/cel_)")
DECIDES = re.compile(r"(scheduler|admission|diagnose|schedule)/")
ANSWERS = re.compile(r"diagnose/answer/|schedule/(explanation|code|explain_options|pod_identity|request_parts)\.hpp")
SOFT_LIMIT = 600


@dataclasses.dataclass
class Sizes:
    """How long things are."""
    count: int
    median: int
    ninth: int  # nine in ten are at most so long
    most: int

    def __str__(self):
        return f"{self.count}: {self.median} / {self.ninth} / {self.most}"


def sizes_of(numbers):
    numbers = sorted(numbers)
    if not numbers:
        return Sizes(0, 0, 0, 0)
    return Sizes(len(numbers), round(statistics.median(numbers)), numbers[len(numbers) * 9 // 10], numbers[-1])


def without_text(source):
    """The source with comments, literals and directives blank, line by line as it was."""
    blank = SKIPPED.sub(lambda found: '""' + "\n" * found.group().count("\n"), source)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda found: "\n" * found.group().count("\n"), blank, flags=re.M)


def is_function(head):
    """Whether what stands before a brace opens a named function. Constructors may set their members first."""
    head = re.sub(r"\)\s*(noexcept)?\s*:(?!:).*$", ")", head, flags=re.S)
    outside = re.sub(r"operator\s*\S+|[=!<>]=|\(.*\)", "", head, flags=re.S)
    if not FUNCTION.search(head) or "=" in outside:
        return False
    name = re.search(r"([\w~]+|operator\s*[^\s\w(]+|operator\s*\(\))\s*\(", head)
    return bool(name) and name.group(1) not in KEYWORDS and head.strip().split()[0] not in KEYWORDS


def function_lengths(source):
    """Lines of each function and lambda, from its first line to its closing brace."""
    text = without_text(source)
    stack, lengths, start, depth = [], [], 0, 0
    for at, sign in enumerate(text):
        if sign in "([":
            depth += 1
        elif sign in ")]":
            depth -= 1
        elif sign == "{":
            head = re.sub(r"\b(public|private|protected)\s*:(?!:)", "", text[start:at])
            opens, resumes = None, None
            if LAMBDA.search(head):
                opens = at
            elif depth == 0 and is_function(head):
                opens = at - len(head.strip()) - 1
            elif MEMBER.search(head):  # `: member_{value}` of a constructor, whose body comes later
                resumes = start
            stack.append((opens, depth, resumes))
            depth, start = 0, at + 1
        elif sign == "}":
            opens, depth, resumes = stack.pop() if stack else (None, 0, None)
            if opens is not None:
                lengths.append(text.count("\n", opens, at) + 1)
            start = at + 1 if resumes is None else resumes
        elif sign == ";" and depth == 0:
            start = at + 1
    return lengths


def floor_of(unit):
    return unit.split("/")[0]


def headers_and_doors(root):
    """All headers, and those of them that other rooms include, as units."""
    headers = {rooms.unit_of(path, root) for path in rooms.sources_of(root) if path.suffix == ".hpp"}
    doors = set()
    for path in rooms.sources_of(root):
        own = rooms.room_of(path, root)
        for _, header, ours in rooms.included(path):
            unit = header.removesuffix(".hpp")
            if ours and unit in headers and unit.rpartition("/")[0] != own:
                doors.add(unit)
    return headers, doors


def doors_by_floor(root):
    """Of each floor: how many doors it has, and how many headers."""
    headers, doors = headers_and_doors(root)
    count = {floor: [0, 0] for floor in sorted(map(floor_of, headers))}
    for unit in headers:
        count[floor_of(unit)][0] += unit in doors
        count[floor_of(unit)][1] += 1
    return count


def headers_with_one_user(root):
    """In the same room, and in another: a door that one room uses so far is still a door."""
    graph = rooms.unit_graph(root)
    users = collections.Counter(other for others in graph.values() for other in others)
    headers, doors = headers_and_doors(root)
    single = {unit for unit in headers if users[unit] == 1}
    return single - doors, single & doors


def reads_of_prose(root):
    """(file, line) of each place that searches or compares a sentence that was made for people."""
    found = []
    for path in rooms.sources_of(root):
        if FOREIGN.match(str(path.relative_to(root))):
            continue
        text = re.sub(r"//[^\n]*", "", path.read_text())
        found += [(path.relative_to(root), number) for number, line in enumerate(text.splitlines(), 1)
                  if PROSE.search(line)]
    return found


def count_of_prose_read(root):
    """As lint/prose counts, where it exists (`12 places`). Else by the pattern above."""
    lint = pathlib.Path(__file__).with_name("prose.py")
    if not lint.is_file():
        return len(reads_of_prose(root))
    output = subprocess.run([sys.executable, str(lint), str(root)], stdout=subprocess.PIPE, text=True).stdout
    totals = re.findall(r"(\d+) places", output)
    return int(totals[-1]) if totals else len(reads_of_prose(root))


def chains(root):
    """The longest chain of includes inside each room, longest first."""
    graph = rooms.unit_graph(root)
    names = {unit.rpartition("/")[0] for unit in graph}
    return sorted((rooms.longest_chain(graph, name) for name in names), key=len, reverse=True)


def levels(root):
    """The declared rooms by the longest way down to base, highest first."""
    level, names = {}, collections.defaultdict(list)
    for path, room in rooms.rooms_of(root).items():
        level[path] = 1 + max((level.get(other, 0) for other in room.needs), default=0)
        names[level[path]].append(path)
    return sorted(names.items(), reverse=True)


def lines_of(path):
    return len(path.read_text().splitlines())


def decisions_in_cmd(root):
    """Lines of cmd, and lines of its files that see more of a decision than the answer."""
    in_all = deciding = 0
    for path in rooms.sources_of(root):
        if path.relative_to(root).parts[0] != "cmd":
            continue
        in_all += lines_of(path)
        if any(ours and DECIDES.match(header) and not ANSWERS.match(header)
               for _, header, ours in rooms.included(path)):
            deciding += lines_of(path)
    return in_all, deciding


def rows_of(root):
    """The figures of a tree, as (what, text)."""
    sources = rooms.sources_of(root)
    knots = [len(knot) for knot in rooms.knots_of(rooms.unit_graph(root))]
    longest = chains(root)[0]
    in_all, deciding = decisions_in_cmd(root)
    lengths = sizes_of(length for path in sources for length in function_lengths(path.read_text()))
    files = sizes_of(lines_of(path) for path in sources)
    yield "rooms", str(len({rooms.room_of(path, root) for path in sources}))
    for floor, (doors, headers) in doors_by_floor(root).items():
        yield f"doors / headers: {floor}", f"{doors} / {headers}"
    inside, outside = headers_with_one_user(root)
    yield "headers with one user, doors", f"{len(inside)}, {len(outside)}"
    yield "knots: largest, over 3", f"{max(knots, default=1)}, {sum(1 for knot in knots if knot > 3)}"
    yield "longest chain in a room", f"{len(longest)} ({longest[0].rpartition('/')[0]})"
    yield "reads of our own prose", str(count_of_prose_read(root))
    yield "cmd: lines, that decide", f"{in_all}, {deciding}"
    yield "functions: median / p90 / max", str(lengths)
    yield "files: median / p90 / max", str(files)
    yield f"files over {SOFT_LIMIT} lines", str(sum(1 for path in sources if lines_of(path) > SOFT_LIMIT))
