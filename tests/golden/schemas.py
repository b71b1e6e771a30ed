#!/usr/bin/env python3
"""Holds the JSON answers that the golden cases expect against docs/schema/<kind>.json.

Usage: schemas.py ROOT
"""
import json
import os
import pathlib
import sys

import jsonschema

import cases


def problems_of(path):
    answer = json.loads(path.read_text())
    schema = json.loads(pathlib.Path("docs/schema", f"{answer['kind']}.json").read_text())
    for error in jsonschema.Draft7Validator(schema).iter_errors(answer):
        yield f"{path}: {'/'.join(map(str, error.path))}: {error.message}"


def main():
    os.chdir(sys.argv[1])
    # Who cannot answer, code 2, says so on stderr alone.
    answers = [case.folder / "json.stdout" for case in cases.all_cases() if "json" in case.forms and case.code != 2]
    problems = [problem for path in answers for problem in problems_of(path)]
    print(*problems, f"{len(answers)} answers, {len(problems)} problems", sep="\n")
    return 1 if problems or not answers else 0


sys.exit(main())
