#!/usr/bin/env python3
"""Runs the golden cases: a case is a folder that anyone can add.

tests/golden/<command>/<case>/
  args           the command line, one line; {demo} is examples/demo-cluster, {case} this folder
  forms          the forms to check, one per line (see FORMS)
  cluster/       what {case}/cluster may hold: `kubectl get -o json` files
  FORM.stdout    what must come out; no file means nothing may
  FORM.stderr    the same for stderr
  code           the exit code, 0 without the file

Usage: run.py ROOT BINARY [CASE...]. UPDATE_GOLDEN=1 rewrites the expectations; git shows the change.
JSON answers are also held against docs/schema/<kind>.json. Of a program built with AddressSanitizer, one
form of every third case is looked at for leaks and for writes past globals, which take most of its time, and
every form with TESTS=all.
"""
import concurrent.futures
import difflib
import json
import os
import pathlib
import shlex
import subprocess
import sys

import jsonschema

FORMS = {
    "terminal": ["--terminal=100x40"],
    "color": ["--terminal=100x40", "--color=always"],
    "ascii": ["--terminal=100x40", "--ascii"],
    "80": ["--terminal=80x24"],
    "wide": ["--terminal=200x40", "-o", "wide"],
    "narrow": ["--terminal=50x24"],
    "piped": [],
    "pipedwide": ["-o", "wide"],
    "json": ["-o", "json"],
    "yaml": ["-o", "yaml"],
    "csv": ["-o", "csv"],
    "name": ["-o", "name"],
}
ENVIRONMENT = {"LC_ALL": "C.UTF-8", "HOME": "/nonexistent", "PATH": os.environ["PATH"],
               "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")}
QUICK = {**ENVIRONMENT,
         "ASAN_OPTIONS": ENVIRONMENT["ASAN_OPTIONS"] + ":detect_leaks=0:report_globals=0"}


class Case:
    def __init__(self, folder, root, number):
        self.folder, self.root = folder, root
        self.name = str(folder.relative_to(root / "tests/golden"))
        self.forms = (folder / "forms").read_text().split()
        # Another form in the next case, so that all of them have their turn.
        some = [self.forms[number // 3 % len(self.forms)]] if number % 3 == 0 else []
        self.thorough = self.forms if os.environ.get("TESTS") == "all" else some
        text = (folder / "args").read_text().replace("{demo}", "examples/demo-cluster")
        self.args = shlex.split(text.replace("{case}", str(folder.relative_to(root))))
        code = folder / "code"
        self.code = int(code.read_text()) if code.exists() else 0

    def run(self, binary, form):
        done = subprocess.run([binary, *self.args, *FORMS[form]], cwd=self.root,
                              env=ENVIRONMENT if form in self.thorough else QUICK,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        return done.stdout, done.stderr, done.returncode

    def check(self, binary, form, update):
        stdout, stderr, code = self.run(binary, form)
        problems = []
        for suffix, actual in (("stdout", stdout), ("stderr", stderr)):
            path = self.folder / f"{form}.{suffix}"
            expected = path.read_bytes() if path.exists() else b""
            if update:
                write(path, actual)
            elif actual != expected:
                problems.append(diff(path, expected, actual))
        if code != self.code:
            problems.append(f"exit code {code}, expected {self.code}\n")
        if form == "json" and code != 2:
            problems += schema_problems(self.root, stdout)
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


def schema_problems(root, stdout):
    answer = json.loads(stdout)
    schema = json.loads((root / "docs/schema" / f"{answer['kind']}.json").read_text())
    validator = jsonschema.Draft7Validator(schema)
    return [f"schema: {'/'.join(map(str, e.path))}: {e.message}\n" for e in validator.iter_errors(answer)]


def main():
    root, binary = pathlib.Path(sys.argv[1]).resolve(), str(pathlib.Path(sys.argv[2]).resolve())
    wanted = sys.argv[3:]
    folders = sorted(p.parent for p in (root / "tests/golden").rglob("args"))
    cases = [Case(folder, root, number) for number, folder in enumerate(folders)]
    cases = [case for case in cases if not wanted or case.name in wanted]
    update = bool(os.environ.get("UPDATE_GOLDEN"))
    passed, failed = 0, 0
    checks = [(case, form) for case in cases for form in case.forms]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda check: check[0].check(binary, check[1], update), checks)
        for (case, form), problems in zip(checks, results):
            if problems:
                failed += 1
                print(f"FAILED {case.name} [{form}]: {' '.join(case.args)}")
                print("".join(problems))
            else:
                passed += 1
    if not cases:
        print("no golden cases found")
        return 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
