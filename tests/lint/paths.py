#!/usr/bin/env python3
"""Every path that CONTRIBUTING and docs/how-it-works.md name is there, and every step of the way of a pod;
CONTRIBUTING says of every floor when to look there; and the links of all documents lead to files.

Usage: paths.py ROOT. Prints what is not there, exits 1 if there is anything. Words in capitals stand for a name.
"""
import pathlib
import re
import sys

DOCUMENTS = ("CONTRIBUTING.md", "docs/how-it-works.md")
PATH = re.compile(r"(?<![\w/.$])(?:lib|cmd|tests|docs|examples|scripts|completions)(?:/[\w.{},*-]+)+")
LINKING = ("*.md", "docs/*.md", "docs/*/*.md", "examples/*.md")
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")
# A line of the way of a pod: `   room   file.cpp   function()`; without a room it is that of the line before.
STEP = re.compile(r"^\s+(?:[+|]-?\s+)?(?:((?:[a-z]+/)?[a-z_]+)\s{2,})?(\w+\.cpp)\s+(?:\.\.\.\s|(\w+))")


def alternatives(path):
    """`a/{b,c}` is two paths."""
    found = re.search(r"\{([^}]*)\}", path)
    if not found:
        return [path]
    return [each for word in found.group(1).split(",")
            for each in alternatives(path[:found.start()] + word + path[found.end():])]


def paths_in(text):
    """(line number, path, name that stands in it) of each path that should be there."""
    room = ""
    for number, line in enumerate(text.splitlines(), 1):
        for path in PATH.findall(line):
            for each in alternatives(path.rstrip(".,")):
                if not re.search(r"\b[A-Z]{3,}\b|\b[A-Z]+_", each):
                    yield number, each, ""
        if step := STEP.match(line):
            room = step.group(1) or room
            folder = room if room.startswith("cmd/") else f"lib/{room}"
            yield number, f"{folder}/{step.group(2)}", step.group(3) or ""


def dead_links(root):
    """(how many links, a line for each that leads nowhere)."""
    links = [(page, target) for name in LINKING for page in sorted(root.glob(name))
             for target in LINK.findall(page.read_text())]
    return len(links), [f"{page.relative_to(root)}: the link {target} leads nowhere" for page, target in links
                        if not (page.parent / target).exists()]


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    count, missing = 0, []
    for name in DOCUMENTS:
        for number, path, word in paths_in((root / name).read_text()):
            count += 1
            found = list(root.glob(path))
            if not found:
                missing.append(f"{name}:{number}: {path} is not there")
            elif word and word not in found[0].read_text():
                missing.append(f"{name}:{number}: {path} has no {word}")
    floors = sorted(p.name for p in (root / "lib").iterdir() if p.is_dir())
    contributing = (root / "CONTRIBUTING.md").read_text()
    missing += [f"CONTRIBUTING.md: no symptom leads to lib/{floor}" for floor in floors
                if not re.search(rf"^\|.*\blib/{floor}\b", contributing, re.M)]
    link_count, dead = dead_links(root)
    missing += dead
    for line in missing:
        print(line)
    print(f"{count} paths, {link_count} links, {len(missing)} missing")
    return 1 if missing or not count else 0


sys.exit(main())
