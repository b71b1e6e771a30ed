#!/usr/bin/env python3
"""Finds code that reads back what we say to people: a decision that hangs on our own words breaks when one is improved.

Texts of ours stand in members (and variables) with the names of MEMBERS. Searching, cutting or comparing them with
fixed words is a finding, unless PARSED says that others wrote the text.
Usage: prose.py ROOT. Prints every finding and the total, exits 1 if there is a finding.
"""
import pathlib
import re
import sys

import rooms

# Members that hold prose of ours. A variable of a short general name (text, note, title) is mostly none.
MEMBERS = "summary what why help nearest patch text note title".split()
VARIABLES = "summary what why help nearest patch".split()
READS = "find rfind replace starts_with ends_with contains erase substr".split()

# Files in which such a name holds what others wrote, or layout that has no meaning.
PARSED = {
    ("lib/decode/wire/json_item.cpp", "what"): "the JSON library's error message",
    ("lib/scheduler/cel/expression.cpp", "text"): "a token of a CEL expression",
    ("lib/scheduler/cel/selector.cpp", "text"): "a name in a CEL expression",
    ("lib/telemetry/live/smi_exec.cpp", "why"): "what kubectl wrote to stderr",
    ("cmd/shell/metrics_flags.cpp", "what"): "a word that was typed",
}

NAME = rf"(?:(?:\.|->)(?P<member>{'|'.join(MEMBERS)})|(?<![\w.>:])(?P<variable>{'|'.join(VARIABLES)}))(?:\(\))?"
# Literals are emptied first; a constant has its name from clang-tidy: kNever, plan::kMayStopOthers.
FIXED = r'(?:""|(?:\w+::)*k[A-Z]\w*)'
READ = re.compile(rf"{NAME}\s*\.\s*(?:{'|'.join(READS)})\s*\(")
SEARCHED = re.compile(rf"\bcontains\(\s*[\w.\[\]>-]*?{NAME}\s*,")
COMPARED = re.compile(rf"{NAME}\s*[!=]=\s*{FIXED}")
COMPARED_BACKWARDS = re.compile(rf"{FIXED}\s*[!=]=\s*[\w.\[\]>-]*?{NAME}(?!\s*[.(\w])")


def bare(text):
    """The source without comments and without what stands in literals; line ends stay."""
    token = re.compile(r'R"(\w*)\((?:.|\n)*?\)\1"|"(?:\\.|[^"\\\n])*"|//[^\n]*|\'(?:\\.|[^\'\\\n])+\'')

    def empty(match):
        lines = "\n" * match.group().count("\n")
        return lines if match.group().startswith("//") else '""' + lines

    return token.sub(empty, text)


def places_in(path):
    """(line number, name) of each place that reads a member or variable of MEMBERS."""
    text = bare(path.read_text())
    places = set()
    for pattern in (READ, SEARCHED, COMPARED, COMPARED_BACKWARDS):
        for match in pattern.finditer(text):
            name = match.group("member") or match.group("variable")
            at = match.start("member") if match.group("member") else match.start("variable")
            places.add((at, text.count("\n", 0, at) + 1, name))
    return [(line, name) for _, line, name in sorted(places)]


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    findings, used = [], set()
    sources = rooms.sources_of(root)
    for source in sources:
        path = str(source.relative_to(root))
        for line, name in places_in(source):
            if (path, name) in PARSED:
                used.add((path, name))
            else:
                findings.append(f"{path}:{line}: reads `{name}` back, which is written for people: give it a type")
    findings += [f"prose.py: {path} no longer reads `{name}`: drop it from PARSED"
                 for path, name in sorted(set(PARSED) - used)]
    for finding in findings:
        print(finding)
    if not sources:
        print("no sources found: wrong root?")
        return 1
    print(f"{len(findings)} places that read our own prose")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
