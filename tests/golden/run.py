#!/usr/bin/env python3
"""Runs golden cases with the program itself, for what one process for all of them does not show: leaks
of each, pipes, exit codes. tests/golden/main.cpp checks every form of all other cases.

Usage: run.py ROOT BINARY [CASE...]. Cases with a line `spawned:` run in every form. Of the others each
sixteenth runs, with TESTS=all each fourth, and those that are named, in one form: another one in the next case.
UPDATE_GOLDEN=1 rewrites the expectations of those with a line `spawned:`, and runs no others.
"""
import concurrent.futures
import difflib
import json
import os
import pathlib
import subprocess
import sys

import cases

ENVIRONMENT = {"LC_ALL": "C.UTF-8", "HOME": "/nonexistent", "PATH": os.environ["PATH"],
               "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")}
UPDATE = bool(os.environ.get("UPDATE_GOLDEN"))
EVERY = 4 if os.environ.get("TESTS") == "all" else 16


def chosen(every_case, wanted):
    """Cases and a form of each."""
    for number, case in enumerate(every_case):
        if wanted and case.name not in wanted:
            continue
        if case.spawned:
            yield from ((case, form) for form in case.forms)
        elif not UPDATE and (wanted or number % EVERY == 0):
            yield case, case.forms[number // EVERY % len(case.forms)]


def check(binary, case, form, words):
    done = subprocess.run([binary, *case.words, *words], env=ENVIRONMENT, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=60)
    problems = []
    if form == "verdict":
        json.loads(done.stdout)  # what it decides is compared by main.cpp
    for suffix, actual in (("stdout", done.stdout), ("stderr", done.stderr)) if form != "verdict" else ():
        path = case.folder / f"{form}.{suffix}"
        expected = path.read_bytes() if path.exists() else b""
        if UPDATE:
            write(path, actual)
        elif actual != expected:
            problems.append(diff(path, expected, actual))
    if done.returncode != case.code:
        problems.append(f"exit code {done.returncode}, expected {case.code}\n")
    return problems


def write(path, content):
    if content:
        path.write_bytes(content)
    else:
        path.unlink(missing_ok=True)


def diff(path, expected, actual):
    lines = [text.decode("utf-8", "backslashreplace").splitlines(keepends=True)
             for text in (expected, actual)]
    return "".join(difflib.unified_diff(*lines, f"{path.name} (expected)", f"{path.name} (actual)"))


def main():
    binary = str(pathlib.Path(sys.argv[2]).resolve())
    os.chdir(sys.argv[1])
    forms = cases.forms()
    checks = list(chosen(cases.all_cases(), sys.argv[3:]))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda each: check(binary, *each, forms[each[1]]), checks)
        for (case, form), problems in zip(checks, results):
            if problems:
                failed += 1
                print(f"FAILED {case.name} [{form}]: {' '.join(case.words)}")
                print("".join(problems))
    if not checks:
        print("no such golden cases")
        return 1
    print(f"{len(checks) - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
