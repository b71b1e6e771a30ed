#!/usr/bin/env python3
"""Runs each `$ kubectl gpu ...` block of the README and holds the text below it against the output.

A block starts with ```console and a line `$ kubectl gpu ARGS`; what follows is stdout and stderr as
on a terminal of 100 columns, up to the next `$ ` line or the end of the block. Commands with a pipe
run in a shell. The table of commands names those that `kubectl gpu --help` does. Usage: readme.py ROOT BINARY [--update].
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


def commands_missing(text, binary):
    """What help lists and the table does not, and the other way round."""
    overview = subprocess.run([binary, "--help"], timeout=60, capture_output=True, text=True, check=True).stdout
    offered = set(re.findall(r"(?m)^  ([a-z][a-z-]*) ", overview.partition("\nCommands:\n")[2]))
    table = text.partition("| command | answers |")[2].partition("\n\n")[0]
    told = set(re.findall(r"(?m)^\| `kubectl gpu ([a-z-]+)", table))
    return [f"README's table of commands lacks {name}" for name in sorted(offered - told)] + [
        f"README's table of commands has {name}, which --help does not list" for name in sorted(told - offered)]


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
    missing = commands_missing(text, binary)
    print(*missing, f"{count} blocks checked", sep="\n")
    return 0 if count and not missing else 1


sys.exit(main())
