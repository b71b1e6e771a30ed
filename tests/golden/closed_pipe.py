#!/usr/bin/env python3
"""A reader that left early (`| head -1`) is no error in any form; a full disk is one in all of them.

Usage: closed_pipe.py ROOT BINARY
"""
import os
import subprocess
import sys

FORMS = [[], ["-o", "wide"], ["-o", "json"], ["-o", "yaml"], ["-o", "csv"], ["-o", "name"], ["--help"],
         ["--terminal=100x40"]]
DEMO = ["top", "gpus", "--from", "examples/demo-cluster"]


def run(root, binary, args, stdout):
    return subprocess.run([binary, *args], cwd=root, stdout=stdout, stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, timeout=60)


def with_closed_pipe(root, binary, args):
    reader, writer = os.pipe()
    os.close(reader)
    try:
        return run(root, binary, args, writer)
    finally:
        os.close(writer)


def main():
    root, binary = sys.argv[1], os.path.abspath(sys.argv[2])
    problems = []
    snapshot = ["snapshot", "-", "--from", "examples/demo-cluster"]
    for args in [*(DEMO + form for form in FORMS), snapshot, ["completion", "bash"], ["--help"]]:
        done = with_closed_pipe(root, binary, args)
        if done.returncode != 0 or b"error" in done.stderr:
            problems.append(f"closed pipe, {args}: {done.returncode}, {done.stderr}")
        with open("/dev/full", "wb") as full:
            done = run(root, binary, args, full)
        if done.returncode != 2 or b"could not be written" not in done.stderr:
            problems.append(f"full disk, {args}: {done.returncode}, {done.stderr}")
    print("\n".join(problems) or "ok")
    return 1 if problems else 0


sys.exit(main())
