#!/usr/bin/env python3
"""why-pending gives a redacted snapshot the same reasons and remedies as the one with names.

For each golden case of why-pending that reads a cluster: the question is asked of a snapshot of it and, with
the pseudonyms of what it asks about, of a redacted one. Code, blockers, kinds of fixes and advice are equal. A case
with a file `redaction` differs, for the reason that stands there.

Usage: redacted_answers.py ROOT BINARY [CASE...], where a CASE is a folder below tests/golden/why-pending.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "golden"))
import cases

ENVIRONMENT = {"LC_ALL": "C.UTF-8", "HOME": "/nonexistent", "PATH": os.environ["PATH"],
               "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")}


def run(binary, *args):
    return subprocess.run([binary, *args], env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)


def pairs(plain, hidden, names):
    """What each name became: both files have the same objects in the same order."""
    if isinstance(plain, dict) and isinstance(hidden, dict):
        for key, value in plain.items():
            if key not in hidden:
                continue
            if key in ("name", "namespace") and isinstance(value, str):
                names.setdefault(value, set()).add(hidden[key])
            else:
                pairs(value, hidden[key], names)
    elif isinstance(plain, list) and isinstance(hidden, list) and len(plain) == len(hidden):
        for one, other in zip(plain, hidden):
            pairs(one, other, names)


def kind_of(fix):
    """Its command's verb, or what it begins with: names and numbers stay out."""
    command = fix.get("command") or ""
    verb = re.match(r"kubectl (\w+)", command)
    return verb[1] if verb else fix["summary"].split()[0]


def told(answer):
    """What must not depend on names."""
    return [{"code": item["code"], "blocked": item["blocked"], "gpus": item["gpus"],
             "groups": [([b["code"] for b in group["blockers"]], group["count"]) for group in item["groups"]],
             "fixes": [kind_of(fix) for fix in item["fixes"]],
             "advice": [kind_of(advice) for advice in item["advice"]]} for item in answer["items"]]


def questions(words, names):
    """The words with every pseudonym that what they name may have."""
    if not words:
        yield []
        return
    word, rest = words[0], words[1:]
    parts = re.split(r"(/)", word)
    forms = [""]
    for part in parts:
        forms = [form + one for form in forms for one in sorted({part} | names.get(part, set()))]
    for form in forms:
        for others in questions(rest, names):
            yield [form] + others


def check(binary, case, folder):
    words = case.words
    if "--from" not in words or "-f" in words or "--explain" in words:
        return None
    at = words.index("--from")
    source, asked = words[at + 1], words[1:at] + words[at + 2:]
    plain, hidden = str(folder / "plain.json"), str(folder / "hidden.json")
    if run(binary, "snapshot", "--from", source, plain).returncode or run(
            binary, "snapshot", "--redact", "--from", source, hidden).returncode:
        return None
    want = run(binary, "why-pending", *asked, "-o", "json", "--from", plain)
    if want.returncode == 2:
        return None
    names = {}
    pairs(json.loads(pathlib.Path(plain).read_text()), json.loads(pathlib.Path(hidden).read_text()), names)
    want, nearest = told(json.loads(want.stdout)), None
    for question in questions(asked, names):
        have = run(binary, "why-pending", *question, "-o", "json", "--from", hidden)
        if have.returncode == 2:
            continue
        have = told(json.loads(have.stdout))
        if have == want:
            return []
        if nearest is None or (have and want and have[0]["code"] == want[0]["code"]):
            nearest = have
    return [f"{case.name}: with names {want}, redacted {nearest}"]


def compare(binary, wanted):
    """How many cases were compared, and what differs."""
    problems, checked = [], 0
    for case in cases.all_cases():
        command, _, name = case.name.partition("/")
        if command != "why-pending" or wanted and name not in wanted:
            continue
        with tempfile.TemporaryDirectory() as folder:
            found = check(binary, case, pathlib.Path(folder))
        if found is not None:
            checked += 1
            if not (case.folder / "redaction").exists():
                problems += found
            elif not found:
                problems.append(f"{case.name}: is the same, whatever its file `redaction` says")
    if checked < (len(wanted) or 50):
        problems.append(f"only {checked} cases of why-pending were compared")
    return checked, problems


def main():
    root, binary = pathlib.Path(sys.argv[1]).resolve(), str(pathlib.Path(sys.argv[2]).resolve())
    os.chdir(root)
    checked, problems = compare(binary, sys.argv[3:])
    print("\n".join(problems))
    print(f"{checked} cases, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
