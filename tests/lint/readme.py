#!/usr/bin/env python3
"""Runs each `$ kubectl gpu ...` block of the README and holds the text below it against the output.

A block starts with ```console and a line `$ kubectl gpu ARGS`; what follows is stdout and stderr as
on a terminal of 100 columns, up to the next `$ ` line or the end of the block. Commands with a pipe
run in a shell. The table of commands holds what `--help` says of each. Usage: readme.py ROOT BINARY [--update].
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TABLE_HEAD = "| command | what it does |\n|---|---|\n"


def output_of(command, root, binary):
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(binary, f"{folder}/kubectl-gpu")
        environment = {"LC_ALL": "C.UTF-8", "NO_COLOR": "1", "HOME": folder, "PATH": f"{folder}:{os.environ['PATH']}"}
        words = command.removeprefix("kubectl gpu ")
        piped = "|" in words or ">" in words
        ours, dashes, theirs = words.partition(" -- ")
        line = f"kubectl-gpu {ours}" + ("" if piped or "-o " in words else " --terminal=100x40") + dashes + theirs
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


def help_of(binary, *words):
    """What the command does, and its usage without flags."""
    text = subprocess.run([binary, *words, "--help"], timeout=60, capture_output=True, text=True, check=True).stdout
    return text.partition("\n")[0], re.search(r"(?m)^Usage:\n  kubectl gpu (.*) \[flags\]$", text).group(1)


def command_table(binary):
    """A row for each command that --help lists; for `top` a row for each of its views."""
    overview = subprocess.run([binary, "--help"], timeout=60, capture_output=True, text=True, check=True).stdout
    names = re.findall(r"(?m)^  ([a-z][a-z-]*) ", overview.partition("\nCommands:\n")[2])
    views = re.match(r"top \[([a-z|]+)\]", help_of(binary, "top")[1]).group(1).split("|")
    commands = [("top", view) for view in views] + [(name,) for name in names if name != "top"]
    rows = [help_of(binary, *words) for words in commands]
    return TABLE_HEAD + "".join(
        "| `kubectl gpu {}` | {} |\n".format(usage.replace("|", "\\|"), summary) for summary, usage in rows)


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
    actual, tables = re.subn(re.escape(TABLE_HEAD) + r"(?:\|.*\n)*", lambda _: command_table(binary), actual)
    if "--update" in sys.argv:
        readme.write_text(actual)
        return 0
    if actual != text:
        import difflib
        print("".join(difflib.unified_diff(text.splitlines(True), actual.splitlines(True),
                                           "README.md", "what the program prints")))
        return 1
    print(f"{count} blocks and {tables} table checked")
    return 0 if count and tables else 1


sys.exit(main())
