#!/usr/bin/env python3
"""Runs each `$ kubectl gpu ...` block of README.md and docs/*.md, and compares the text below it with the output.

A block starts with ```console and a line `$ kubectl gpu ARGS`; what follows is stdout and stderr as
on a terminal of 100 columns, up to the next `$ ` line or the end of the block. A command with a pipe or a
redirection has no terminal; files that it writes go into a folder that is removed. The table of commands holds what
`--help` says of each. Usage: readme.py ROOT BINARY [--update].
"""
import difflib
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
        for name in ("examples", "tests"):
            os.symlink(root / name, f"{folder}/{name}")
        environment = {"LC_ALL": "C.UTF-8", "NO_COLOR": "1", "HOME": folder, "PATH": f"{folder}:{os.environ['PATH']}"}
        words = command.removeprefix("kubectl gpu ")
        piped = "|" in words or ">" in words
        ours, dashes, theirs = words.partition(" -- ")
        line = f"kubectl-gpu {ours}" + ("" if piped or "-o " in words else " --terminal=100x40") + dashes + theirs
        # Of a pipe the reader sees what its last command writes; of a redirection what goes to stderr.
        shown = f"{line} 2>&1" if "|" in words else f"{{ {line}\n}} 2>&1"
        done = subprocess.run(["sh", "-c", shown], cwd=folder, env=environment, timeout=60,
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


def pages_of(root):
    """The README and the pages beside it; docs/reasons and docs/opencost are compiled in and tested there."""
    return [root / "README.md", *sorted((root / "docs").glob("*.md"))]


def main():
    root, binary = pathlib.Path(sys.argv[1]).resolve(), os.path.abspath(sys.argv[2])
    count = tables = differing = 0

    def renew(match):
        nonlocal count
        count += 1
        return "```console\n" + checked(match.group(1), root, binary) + "```"

    for page in pages_of(root):
        text = page.read_text()
        actual = re.sub(r"```console\n((?:\$ kubectl gpu ).*?)```", renew, text, flags=re.S)
        actual, found = re.subn(re.escape(TABLE_HEAD) + r"(?:\|.*\n)*", lambda _: command_table(binary), actual)
        tables += found
        if actual == text:
            continue
        differing += 1
        if "--update" in sys.argv:
            page.write_text(actual)
        else:
            print("".join(difflib.unified_diff(text.splitlines(True), actual.splitlines(True),
                                               str(page.relative_to(root)), "what the program prints")))
    if "--update" in sys.argv:
        return 0
    print(f"{count} blocks and {tables} table checked, {differing} pages differ")
    return 0 if count and tables and not differing else 1


sys.exit(main())
