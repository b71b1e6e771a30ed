#!/usr/bin/env python3
"""Runs each `$ kubectl gpu ...` block of the README and holds the text below it against the output.

A block starts with ```console and a line `$ kubectl gpu ARGS`; what follows is stdout and stderr as
on a terminal of 100 columns, up to the next `$ ` line or the end of the block. Commands with a pipe
run in a shell. Usage: readme.py ROOT BINARY [--update].
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile


def output_of(command, root, binary):
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(binary, f"{folder}/kubectl-gpu")
        environment = {"LC_ALL": "C.UTF-8", "NO_COLOR": "1", "HOME": folder, "PATH": f"{folder}:{os.environ['PATH']}"}
        words = command.removeprefix("kubectl gpu ")
        piped = "|" in words or ">" in words
        line = f"kubectl-gpu {words}" + ("" if piped or "-o " in words else " --terminal=100x40")
        done = subprocess.run(["sh", "-c", line + " 2>&1"], cwd=root, env=environment, timeout=60,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
        return done.stdout


def checked(block, root, binary):
    """The block with every output as it really is."""
    parts = re.split(r"(?m)^\$ (.*)\n", block)
    result = parts[0]
    for command, _ in zip(parts[1::2], parts[2::2]):
        result += f"$ {command}\n" + output_of(command, root, binary)
    return result


def main():
    root, binary = pathlib.Path(sys.argv[1]).resolve(), str(pathlib.Path(sys.argv[2]).resolve())
    readme = root / "README.md"
    text = readme.read_text()
    count = 0

    def renew(match):
        nonlocal count
        count += 1
        return "```console\n" + checked(match.group(1), root, binary) + "```"

    actual = re.sub(r"```console\n((?:\$ kubectl gpu ).*?)```", renew, text, flags=re.S)
    if "--update" in sys.argv:
        readme.write_text(actual)
        return 0
    if actual != text:
        import difflib
        print("".join(difflib.unified_diff(text.splitlines(True), actual.splitlines(True),
                                           "README.md", "what the program prints")))
        return 1
    print(f"{count} blocks checked")
    return 0 if count else 1


sys.exit(main())
