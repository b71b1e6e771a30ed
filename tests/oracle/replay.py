#!/usr/bin/env python3
"""Holds schedule_verdicts against what kube-scheduler said of the same pods.

Usage: replay.py [--show N] [--only ID]... TOOL FILE...
A FILE has a case on each line, as tests/controlplane/cmd/oracle writes them; it may be compressed
(.xz), and - is standard input. Exit code 1: something differs.
"""

import argparse
import collections
import json
import lzma
import os
import re
import subprocess
import sys
import tempfile

COUNTED = re.compile(r"(\d+) (?=\S)")


def read(paths):
    for path in paths:
        if path == "-":
            stream = sys.stdin
        elif path.endswith(".xz"):
            stream = lzma.open(path, "rt", encoding="utf-8")
        else:
            stream = open(path, encoding="utf-8")
        with stream:
            for line in stream:
                yield json.loads(line)


def verdicts(tool, cases):
    """What the tool says, a line for each case, in their order."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as questions:
        for case in cases:
            json.dump({key: case[key] for key in ("id", "version", "pod", "objects")}, questions, separators=(",", ":"))
            questions.write("\n")
        questions.seek(0)
        run = subprocess.run([tool], stdin=questions, stdout=subprocess.PIPE, encoding="utf-8", check=False)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    if len(answers) < len(cases):
        last = answers[-1]["id"] if answers else "none"
        sys.exit(f"{tool} ended with {run.returncode} after {len(answers)} of {len(cases)} cases, the last {last}")
    return answers


def comparable(message):
    """Of errors that several nodes give, the scheduler tells whichever comes first."""
    return re.sub(r"resource pool \S+ is currently", "resource pool is currently", message)


def parts(message):
    """The counted reasons of a message, before and after "preemption:"."""
    found = {}
    for where, text in zip(("", "preemption: "), message.split("preemption: ", 1)):
        text = re.sub(r"^0/\d+ nodes are available: ", "", text)
        for piece in re.split(r", (?=\d+ )|\. (?=no new|still|dealloc)|\.? *$", text):
            match = COUNTED.match(piece)
            if match:
                found[where + piece[match.end():]] = int(match.group(1))
            elif piece.strip():
                found[where + piece.strip(" ,")] = 1
    return found


def kind_of(case, answer):
    """A short name for the difference, by which equal ones are grouped; nothing when there is none."""
    said = case["answer"]
    message = said.get("message", "")
    if "failure" in answer:
        return "the tool fails: " + answer["failure"][:80]
    if said.get("node"):
        if answer["fits"]:
            return other_nodes(said, answer)
        wrong = "; ".join(sorted(parts(answer["message"])))
        return "it fits, ours has: " + re.sub(r'"[^"]*"', '"X"', wrong)
    if answer["fits"]:
        return "ours fits, it has: " + re.sub(r'"[^"]*"', '"X"', "; ".join(sorted(parts(message))))
    if comparable(answer["message"]) != comparable(message):
        theirs, ours = parts(message), parts(answer["message"])
        names = sorted(name for name in theirs.keys() | ours.keys() if theirs.get(name) != ours.get(name))
        if not names:
            return "order or end of the message"
        return "differs in: " + "; ".join(re.sub(r'"[^"]*"', '"X"', name)[:70] for name in names)
    if said.get("nominated") and said["nominated"] not in answer["preemption_nodes"]:
        return "preemption takes another node"
    return other_nodes(said, answer)


def other_nodes(said, answer):
    """What differs although the message does not."""
    if said.get("node"):
        if answer["nodes"].get(said["node"]):
            return "the node that it takes does not fit"
        # One that fits is enough when an earlier preemption chose it.
        fitting = sum(1 for node, reasons in answer["nodes"].items() if not reasons and node not in answer.get("leftOut", []))
        return None if said["feasible"] in (fitting, 1) else "it fits on another number of nodes"
    for node, reasons in said.get("nodes", {}).items():
        if sorted(reasons) != sorted(answer["first"].get(node, [])):
            return "other reasons of a node"
    return None


def tell(case, answer):
    print("   ", case["id"], case["version"], case["pod"])
    said = case["answer"]
    print("      kube-scheduler:", said.get("node") and "binds to " + said["node"] or said["message"])
    print("      ours:          ", answer.get("failure") or (answer["fits"] and "fits" or answer["message"]))
    if answer.get("notChecked"):
        print("      not checked:   ", ", ".join(answer["notChecked"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", type=int, default=2, help="how many of each kind of difference")
    parser.add_argument("--only", action="append", help="the id of a case")
    parser.add_argument("--every", type=int, default=1, help="take each so many; 1 with TESTS=all")
    parser.add_argument("tool")
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    cases = [case for case in read(arguments.files) if not arguments.only or case["id"] in arguments.only]
    if os.environ.get("TESTS") != "all":
        cases = cases[:: arguments.every]
    queued = sum(1 for case in cases if case["answer"].get("queue"))
    cases = [case for case in cases if not case["answer"].get("queue")]
    if not cases:
        sys.exit("no cases")
    different, agreeing, unchecked = collections.defaultdict(list), 0, 0
    for case, answer in zip(cases, verdicts(arguments.tool, cases)):
        if case["id"] != answer["id"]:
            sys.exit(f"asked about {case['id']}, answered about {answer['id']}")
        kind = kind_of(case, answer)
        if kind is None:
            agreeing += 1
        elif answer.get("notChecked"):
            unchecked += 1
        else:
            different[kind].append((case, answer))
    for kind, pairs in sorted(different.items(), key=lambda item: -len(item[1])):
        print(f"{len(pairs)} x {kind}")
        for case, answer in pairs[: arguments.show]:
            tell(case, answer)
    count = sum(len(pairs) for pairs in different.values())
    print(f"{len(cases)} cases: {agreeing} agree, {count} differ, {unchecked} not checked; {queued} more never leave the queue")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
