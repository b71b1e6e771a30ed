#!/usr/bin/env python3
"""Holds the JSON answers that the golden cases expect against docs/schema/<kind>.json, and tests/golden/keys
against the strings of the schema that the form `verdict` reads.

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
    if not answer["apiVersion"].startswith("kubectl-gpu/"):
        return  # a manifest: the API server's own test has it
    schema = json.loads(pathlib.Path("docs/schema", f"{answer['kind']}.json").read_text())
    for error in jsonschema.Draft7Validator(schema).iter_errors(answer):
        yield f"{path}: {'/'.join(map(str, error.path))}: {error.message}"


def may_be_string(schema):
    types = schema.get("type", "string" if isinstance(schema.get("const"), str) else [])
    if any(isinstance(each, str) for each in schema.get("enum", ())):
        return True
    if "array" in types:
        return may_be_string(schema["items"])
    return "string" in types or any(may_be_string(each) for each in schema.get("oneOf", ()))


def string_keys(part):
    """The keys, at any depth, whose values are strings or lists of strings."""
    if isinstance(part, list):
        return set().union(*map(string_keys, part))
    if not isinstance(part, dict):
        return set()
    properties = part.get("properties", {})
    own = {key for key, value in properties.items() if may_be_string(value)}
    nested = [*properties.values(), *(value for key, value in part.items() if key != "properties")]
    return own.union(string_keys(nested))


def unsorted_keys():
    schemas = [json.loads(pathlib.Path(f"docs/schema/{kind}.json").read_text()) for kind in ("PendingExplanationList", "CheckList")]
    keys = string_keys(schemas)
    lines = [line.split()[1:] for line in pathlib.Path("tests/golden/keys").read_text().splitlines()
             if not line.startswith("#")]
    sorted_keys = {key for line in lines for key in line}
    for key in sorted(keys ^ sorted_keys):
        yield f"tests/golden/keys: {key}: " + ("decision or sentence?" if key in keys else "is no string of the schema")


def main():
    os.chdir(sys.argv[1])
    # Who cannot answer, code 2, says so on stderr alone.
    answers = [case.folder / "json.stdout" for case in cases.all_cases() if "json" in case.forms and case.code != 2]
    problems = [problem for path in answers for problem in problems_of(path)]
    problems += unsorted_keys()
    print(*problems, f"{len(answers)} answers, {len(problems)} problems", sep="\n")
    return 1 if problems or not answers else 0


sys.exit(main())
