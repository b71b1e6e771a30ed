#!/usr/bin/env python3
"""Mutates whole snapshots, folders of lists, manifests and kubeconfigs, and runs the program on each.

Each run ends in time, by itself, with 0, 1 or 2; says nothing of a bug or of memory; an answer in JSON is JSON.
A sanitizer build is what to run: cmake --preset dev. The seed and the count make a run again; what fails is
kept in a folder, with its command.

Usage: mutate.py BINARY [--count 50000] [--seed 1] [--jobs 16] [--keep build/fuzz/mutated]
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Of the processor, and for one that waits for what never comes: a busy machine is no hang.
CPU_LIMIT_S = 60
LIMIT_S = 600
# Of sanitizers, of the C++ runtime, and of ours.
WRONG = re.compile(rb"Sanitizer|runtime error:|terminate called|a bug in kubectl-gpu|Assertion")
ENVIRONMENT = {"LC_ALL": "C.UTF-8", "HOME": "/nonexistent", "PATH": "/usr/bin:/bin",
               "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:hard_rss_limit_mb=3000"}
ODD = ["", " ", "\u0000", "\u202e", "x" * 300, "-1", "0", "1e30", "99999999999999999999", "NaN", "1Ei", "-5Gi", "0.1m", "null",
       "true", "../../etc", "2026-13-45T99:99:99Z", "a/b/c", "nvidia.com/gpu", "{", "[]", "\ud7ff", "é" * 70]
ODD_VALUES = [None, True, False, 0, -1, 2**31, 2**63, 2**64, 1e308, 0.5, [], {}, [[]], {"": ""}, [None]]
FROM = [["top"], ["top", "gpus"], ["top", "pods"], ["top", "namespaces"], ["top", "models"], ["top", "--tree"], ["why-pending", "-A"],
        ["cost"], ["cost", "pods"], ["cost", "jobs"], ["cost", "nodes"], ["doctor"], ["quota"], ["fit", "--gpus", "1"],
        ["fit", "--make-room", "2"], ["snapshot", "-"], ["snapshot", "--redact", "-"], ["gen", "job", "--gpus", "1"]]
MANIFEST = [["lint"], ["lint", "--fix"], ["why-pending", "--from", "examples/demo-cluster", "-f"],
            ["fit", "--from", "examples/demo-cluster", "-f"], ["cost", "--from", "examples/demo-cluster", "-f"]]


def corpus():
    """(kind, files) of every input that is mutated: a folder's files by name, or one file."""
    for path in sorted((ROOT / "tests/golden").rglob("cluster")):
        files = {file.name: file.read_bytes() for file in path.glob("*") if file.is_file()}
        if files and sum(map(len, files.values())) < 400_000:
            yield "cluster", files
    for pattern in ("*.yaml", "*.yml"):
        for path in sorted(list((ROOT / "tests/golden").rglob(pattern)) + list((ROOT / "examples").rglob(pattern))):
            if path.stat().st_size < 60_000:
                yield "manifest", {path.name: path.read_bytes()}
    for path in sorted((ROOT / "tests/server/testdata/kubeconfig").rglob("*")):
        if path.is_file() and path.stat().st_size < 60_000:
            yield "kubeconfig", {path.name: path.read_bytes()}


def places(value, found, parent=None, key=None):
    """Every value inside a document, with where it stands."""
    if parent is not None:
        found.append((parent, key))
    if isinstance(value, dict):
        for name, each in value.items():
            places(each, found, value, name)
    elif isinstance(value, list):
        for number, each in enumerate(value):
            places(each, found, value, number)


def mutate_document(rng, document):
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8])):
        found = []
        places(document, found)
        if not found:
            return
        parent, key = rng.choice(found)
        how = rng.randrange(7)
        if how == 0:
            del parent[key]
        elif how == 1:
            parent[key] = rng.choice(ODD)
        elif how == 2:
            parent[key] = rng.choice(ODD_VALUES)
        elif how == 3:  # something else of the same document
            other, at = rng.choice(found)
            try:
                parent[key] = json.loads(json.dumps(other[at]))
            except (KeyError, IndexError, ValueError):
                pass
        elif how == 4 and isinstance(parent, list):
            parent.extend(json.loads(json.dumps(parent[key])) for _ in range(rng.choice([1, 2, 50])))
        elif how == 5 and isinstance(parent, dict):
            parent[rng.choice(ODD) or "x"] = parent.pop(key)
        elif how == 6 and isinstance(parent[key], str):
            text = parent[key]
            at = rng.randrange(len(text) + 1)
            parent[key] = text[:at] + rng.choice(ODD) + text[at:]


def mutate_bytes(rng, data):
    data = bytearray(data)
    for _ in range(rng.choice([1, 2, 4, 16])):
        if not data:
            break
        at, how = rng.randrange(len(data)), rng.randrange(6)
        if how == 0:
            data[at] = rng.randrange(256)
        elif how == 1:
            del data[at:at + rng.choice([1, 4, 64, 1000])]
        elif how == 2:
            data[at:at] = data[at:at + rng.choice([4, 64, 1000])]
        elif how == 3:
            data[at:at] = rng.choice(ODD).encode("utf-8", "surrogatepass")
        elif how == 4:
            del data[at:]
        else:
            data[at:at] = rng.choice([b"\xff\xfe", b"\x00", b"[" * 2000, b"\n---\n", b"&a *a ", b"\xef\xbb\xbf", b"!!binary |\n"])
    return bytes(data)


def mutated(rng, files):
    result = dict(files)
    name = rng.choice(sorted(files))
    if name.endswith(".json") and rng.random() < 0.7:
        try:
            document = json.loads(files[name])
            mutate_document(rng, document)
            result[name] = json.dumps(document).encode("utf-8", "surrogatepass")
            return result
        except (ValueError, RecursionError):
            pass
    result[name] = mutate_bytes(rng, files[name])
    return result


def command(rng, kind, folder, files):
    if kind == "cluster":
        words = rng.choice(FROM)
        form = [] if words[0] in ("snapshot", "gen") else rng.choice([[], ["-o", "json"], ["-o", "wide"], ["-o", "csv"], ["-o", "yaml"],
                                                                      ["--terminal=80x24"]])
        return [*words, "--from", str(folder), *form]
    path = str(folder / sorted(files)[0])
    if kind == "manifest":
        return [*rng.choice(MANIFEST), path]
    return ["connection", "--kubeconfig", path]


def limit_cpu():
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_LIMIT_S, CPU_LIMIT_S))


def run(binary, inputs, number, seed, keep):
    rng = random.Random(f"{seed} {number}")
    kind = rng.choices(["cluster", "manifest", "kubeconfig"], [60, 30, 10])[0]
    files = mutated(rng, rng.choice(inputs[kind]))
    folder = pathlib.Path(tempfile.mkdtemp(prefix="mutated-"))
    try:
        for name, data in files.items():
            (folder / name).write_bytes(data)
        words = command(rng, kind, folder, files)
        try:
            done = subprocess.run([binary, *words], cwd=ROOT, env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True,
                                  timeout=LIMIT_S, preexec_fn=limit_cpu)
            code, out, err = done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired:
            code, out, err = "timeout", b"", b""
        why = f"exit {code}" if code not in (0, 1, 2) else ""
        if not why and (found := WRONG.search(err) or WRONG.search(out)):
            why = found[0].decode()
        if not why and code != 2 and words[-2:] == ["-o", "json"]:
            try:
                json.loads(out)
            except ValueError:
                why = "an answer that is no JSON"
        if not why:
            return kind, None
        kept = keep / f"{seed}-{number}"
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(folder, kept)
        shown = " ".join(words).replace(str(folder), str(kept))
        (kept / "stderr").write_bytes(err)
        return kind, f"{why}: {shown}\n    {err[-300:].decode(errors='replace')}"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--count", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=16)
    parser.add_argument("--keep", default=str(ROOT / "build/fuzz/mutated"))
    args = parser.parse_args()
    inputs = {}
    for kind, files in corpus():
        inputs.setdefault(kind, []).append(files)
    keep = pathlib.Path(args.keep)
    keep.mkdir(parents=True, exist_ok=True)
    binary = str(pathlib.Path(args.binary).resolve())
    counts, problems = {}, []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for kind, problem in pool.map(lambda number: run(binary, inputs, number, args.seed, keep), range(args.count)):
            counts[kind] = counts.get(kind, 0) + 1
            if sum(counts.values()) % 1000 == 0:
                print(f"{sum(counts.values())} of {args.count} runs", file=sys.stderr, flush=True)
            if problem:
                problems.append(problem)
                print(problem, flush=True)
    print(f"{sum(map(len, inputs.values()))} inputs; runs: {counts}; {len(problems)} problems")
    return 1 if problems or not inputs else 0


if __name__ == "__main__":
    sys.exit(main())
