#!/usr/bin/env python3
"""Holds the reader of exporters' text against others: promtool (Debian's package prometheus) and
prometheus_client (Debian's python3-prometheus-client), over a generated corpus and the cases.

Usage: corpus.py METRICS_DUMP CASES [TEXTS [SEED]]. There are 160 texts, 2000 with TESTS=all.
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import subprocess
import sys

import prometheus_client.openmetrics.parser
import prometheus_client.parser

import generate

# What promtool refuses and we read: HELP and TYPE that contradict, a last line without its end,
# blanks and escapes that Prometheus itself takes, values that are too large (infinite). So do we
# CR LF. Everything else that it refuses must be a bad line of ours.
TOLERATED = [
    r"second (HELP|TYPE) line", r"TYPE reported after samples", r"unknown metric type",
    r"invalid metric name in comment", r"unexpected end of input stream", r"invalid escape sequence",
    r'expected integer as timestamp, got ""', r'spurious string after timestamp: "( |\\t)+"',
    r'expected float as value, got "[+-]?[0-9.]+[eE]\+?[0-9]+"',
]
NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
TEXT = r'"(?:[^"\\\n]|\\.)*"'
LABELS = rf"\{{(?:[a-zA-Z_][a-zA-Z0-9_]*={TEXT}(?:,[a-zA-Z_][a-zA-Z0-9_]*={TEXT})*)?\}}"
OPEN_LINE = re.compile(rf"{NAME}(?:{LABELS})? [^ \n]+(?: [^ #\n]+)?(?: # {LABELS} [^ \n]+(?: [^ \n]+)?)?")


class Dump:
    """What our reader makes of a text."""

    def __init__(self, program, text, text_format, part=65536):
        done = subprocess.run([program, text_format, str(part)], input=text, capture_output=True, check=True, timeout=60)
        *series, counts = [json.loads(line) for line in done.stdout.decode().split("\n")[:-1]]
        self.samples = [generate.Sample(one["name"], one["labels"], one["value"], one["at"]) for one in series]
        self.lines, self.bad_count, self.bad = counts["lines"], counts["bad_count"], counts["bad_lines"]


def keys(samples):
    return [sample.key() for sample in samples]


def promtool_problem(text):
    """Why promtool cannot parse `text`; None when it can, whatever its linter says (exit code 3)."""
    done = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, timeout=60)
    if done.returncode in (0, 3):
        return None
    return done.stderr.decode(errors="replace").strip()


def of_families(families):
    return [generate.Sample(one.name, one.labels, one.value, None if one.timestamp is None else int(float(one.timestamp) // 1))
            for family in families for one in family.samples]


def read_by_python(text):
    """Without comments (by TYPE it renames counters), and tabs as blanks: it looks for one of both."""
    lines = [re.sub(rf"({TEXT})|\t", lambda found: found[1] or " ", line) for line in text.decode().split("\n")
             if not line.lstrip().startswith("#")]
    return of_families(prometheus_client.parser.text_string_to_metric_families("\n".join(lines)))


def read_open_by_python(text):
    return of_families(prometheus_client.openmetrics.parser.text_string_to_metric_families(text.decode()))


def differs(ours, theirs):
    """Whether we read something else than another reader; times in no year of four digits are bad lines of ours."""
    readable = [sample for sample in theirs if sample.at is None or -62167219200 <= sample.at <= 253402300799]
    return keys(ours.samples) != keys(readable) or ours.bad_count != len(theirs) - len(readable)


def described(ours, theirs):
    return f"Python's reader has other samples\n  ours: {keys(ours.samples)} {ours.bad}\n  its: {keys(theirs)}"


def check_classic(program, text, truth):
    """What is wrong with our reading of a text of format 0.0.4, and how it was judged."""
    ours = Dump(program, text, "prometheus")
    in_parts = Dump(program, text, "prometheus", 1 + len(text) % 7)
    if (keys(ours.samples), ours.bad) != (keys(in_parts.samples), in_parts.bad):
        return "other samples when the bytes arrive in parts", "cut"
    problem = promtool_problem(text)
    if problem is None:
        if truth is not None and keys(ours.samples) != keys(truth):
            return "other samples than were written", "taken"
        if any(bad["why"] != "its time is not a number" for bad in ours.bad):
            return f"promtool takes it, we do not: {ours.bad}", "taken"
        try:
            python = read_by_python(text)
        except ValueError:
            return None, "taken by promtool, refused by Python"
        return (described(ours, python) if differs(ours, python) else None), "taken"
    if truth is not None:
        return f"promtool refuses a valid text: {problem}", "generator"
    if any(re.search(pattern, problem) for pattern in TOLERATED):
        return None, "refused, tolerated"
    line = int(re.search(r"in line (\d+):", problem).group(1))
    if text.split(b"\n")[line - 1].endswith(b"\r"):
        return None, "refused, CR LF"
    if not any(bad["number"] == line for bad in ours.bad):
        return f"promtool refuses it, we have no bad line there: {problem}; ours: {ours.bad}", "refused"
    return None, "refused"


def check_open(program, text, truth):
    ours = Dump(program, text, "openmetrics")
    in_parts = Dump(program, text, "openmetrics", 1 + len(text) % 7)
    if (keys(ours.samples), ours.bad) != (keys(in_parts.samples), in_parts.bad):
        return "other samples when the bytes arrive in parts", "cut"
    try:
        python = read_open_by_python(text)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as problem:
        return (f"Python refuses a valid text: {problem}" if truth is not None else None), "refused"
    if truth is not None and keys(ours.samples) != keys(truth):
        return "other samples than were written", "taken"
    if all(line.startswith("#") or OPEN_LINE.fullmatch(line) for line in text.decode().rstrip("\n").split("\n")):
        return (described(ours, python) if differs(ours, python) else None), "taken"
    return None, "taken against the standard"


def check_cases(program, cases):
    """Every case has as many samples as expected.md says, and no bad line."""
    rows = re.findall(r"^\| (\d\d-\S+) \| (\d+) \|", (cases / "expected.md").read_text(), re.MULTILINE)
    files = sorted(cases.glob("*.prom"))
    wrong = [f"{path.stem}: not in expected.md" for path in files if path.stem not in dict(rows)]
    for name, count in rows:
        ours = Dump(program, (cases / f"{name}.prom").read_bytes(), "unknown")
        if (ours.lines, len(ours.samples), ours.bad_count) != (int(count), int(count), 0):
            wrong.append(f"{name}: {count} samples expected, {ours.lines} read, bad lines: {ours.bad}")
    return len(files), wrong


def tasks(count, seed):
    source = random.Random(seed)
    for number in range(count):
        make, check = [(generate.classic, check_classic), (generate.openmetrics, check_open)][number % 2]
        text, truth = make(source)
        if number % 8 >= 2:
            text, truth = generate.mutated(source, text), None
        yield check, text, truth


def main():
    program, cases = sys.argv[1], pathlib.Path(sys.argv[2])
    usual = 2000 if os.environ.get("TESTS") == "all" else 160
    count, seed = ([int(word) for word in sys.argv[3:5]] + [usual, 1][len(sys.argv[3:5]):])
    read, wrong = check_cases(program, cases)
    print(f"{read} cases, {len(wrong)} wrong")
    for line in wrong:
        print("  " + line)
    verdicts = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        work = list(tasks(count, seed))
        results = pool.map(lambda task: task[0](program, task[1], task[2]), work)
        for (check, text, truth), (problem, verdict) in zip(work, results):
            verdicts[check.__name__ + (": valid, " if truth is not None else ": mutated, ") + verdict] += 1
            if problem:
                wrong.append(problem)
                print(f"{problem}\n  {text!r}")
    for verdict, number in sorted(verdicts.items()):
        print(f"{number:5} {verdict}")
    # A corpus that nobody takes, or nobody refuses, proves nothing.
    thin = [kind for kind in ("check_classic: mutated, taken", "check_classic: mutated, refused",
                              "check_open: mutated, taken", "check_open: mutated, refused") if not verdicts[kind]]
    if thin:
        print(f"not in the corpus: {thin}")
    return 1 if wrong or thin else 0


sys.exit(main())
