#!/usr/bin/env python3
"""Holds the source against the table of who may include what, and against the size budgets.

Dependencies point one way (docs/how-it-works.md); the table is the same as the link lines in CMake.
Usage: layout.py ROOT. Prints every finding, exits 1 if there is one.
"""
import pathlib
import re
import sys

MAY_INCLUDE = {
    "base": {"base"},
    "model": {"base", "model"},
    "decode": {"base", "model", "decode"},
    "metrics": {"base", "model", "metrics"},
    "schedule": {"base", "model", "schedule"},
    "usage": {"base", "model", "usage"},
    "report": {"base", "report"},
    "kube": {"base", "model", "decode", "metrics", "kube"},
    "cmd": {"base", "model", "schedule", "usage", "report", "kube", "cmd"},
}
# Libraries and system headers that only some folders may see: who talks to what is visible here.
ONLY = {
    r"curl/": {"kube"},
    r"openssl/": {"kube"},
    r"CLI/": {"cmd"},
    r"yaml-cpp/": {"decode"},
    r"protozero/": {"decode"},
    r"nlohmann/": {"decode", "kube", "report", "cmd"},
    r"sys/socket\.h|netdb\.h|arpa/inet\.h|netinet/": {"kube"},
    r"sys/wait\.h|spawn\.h|signal\.h|csignal|poll\.h": {"kube"},
    r"zlib\.h": {"base"},
    r"expat\.h": {"metrics"},
    r"re2/": {"schedule"},
    r"sys/ioctl\.h": {"base"},
    r"fstream|filesystem": {"kube", "cmd"},
    r"unistd\.h|fcntl\.h": {"base", "kube"},
}
LIMITS = {".cpp": 400, ".hpp": 150, ".py": 400}
TEST_LIMIT = 600
MOST_CASES = 40


def folder_of(path, root):
    parts = path.relative_to(root).parts
    return parts[1] if parts[0] == "lib" else parts[0]


def include_findings(path, root):
    folder = folder_of(path, root)
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line)
        if not match:
            continue
        header = match.group(1)
        where = f"{path.relative_to(root)}:{number}"
        top = header.split("/")[0]
        if top in MAY_INCLUDE and top not in MAY_INCLUDE[folder]:
            yield f"{where}: {folder} may not include from {top}: {header}"
        for pattern, folders in ONLY.items():
            if re.match(pattern, header) and folder not in folders:
                yield f"{where}: {header} is for {', '.join(sorted(folders))} only"


def size_findings(path, root):
    lines = len(path.read_text().splitlines())
    is_test = path.relative_to(root).parts[0] == "tests"
    limit = TEST_LIMIT if is_test else LIMITS.get(path.suffix, 400)
    if lines > limit:
        yield f"{path.relative_to(root)}: {lines} lines, {limit} are allowed"
    if "util" in path.stem:
        yield f"{path.relative_to(root)}: a file named util says nothing; name the idea"


def cycle_findings(headers, root):
    """Include cycles among headers, found by walking depth first."""
    edges = {}
    for path in headers:
        key = str(path.relative_to(root)).removeprefix("lib/")
        edges[key] = re.findall(r'#\s*include\s*"([^"]+)"', path.read_text())
    state = {}

    def visit(key, trail):
        if state.get(key) == "done" or key not in edges:
            return None
        if key in trail:
            return " -> ".join(trail[trail.index(key):] + [key])
        for other in edges[key]:
            if cycle := visit(other, trail + [key]):
                return cycle
        state[key] = "done"
        return None

    for key in edges:
        if cycle := visit(key, []):
            yield f"include cycle: {cycle}"
            return


def crowd_findings(root):
    """Folders of golden cases in which nobody finds one."""
    for folder in sorted({p.parent.parent for p in (root / "tests/golden").rglob("case")}):
        count = sum(1 for _ in folder.glob("*/case"))
        if count > MOST_CASES:
            yield f"{folder.relative_to(root)}: {count} cases, {MOST_CASES} are allowed"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    sources = [p for top in ("lib", "cmd") for p in sorted((root / top).rglob("*.?pp"))]
    tests = [p for p in sorted((root / "tests").rglob("*")) if p.suffix in (".cpp", ".hpp", ".py", ".go")]
    findings = [f for p in sources for f in include_findings(p, root)]
    findings += [f for p in sources + tests for f in size_findings(p, root)]
    findings += cycle_findings([p for p in sources if p.suffix == ".hpp"], root)
    findings += crowd_findings(root)
    for finding in findings:
        print(finding)
    if not sources:
        print("no sources found: wrong root?")
        return 1
    print(f"{len(sources)} sources, {len(findings)} findings")
    return 1 if findings else 0


sys.exit(main())
