#!/usr/bin/env python3
"""Checks the man page that `kubectl gpu options --man` prints: groff formats it without a warning, and it has every
command of the overview, and every flag that `options` prints.

Usage: man.py BINARY. Without groff only the contents are checked.
"""
import re
import shutil
import subprocess
import sys


def printed(*words, text=None):
    return subprocess.run(words, input=text, timeout=60, capture_output=True, text=True, check=True)


def findings(binary):
    page = printed(binary, "options", "--man").stdout
    plain = page.replace("\\-", "-")
    commands = re.findall(r"(?m)^  ([a-z][a-z-]*) ", printed(binary, "--help").stdout.partition("\nCommands:\n")[2])
    flags = re.findall(r"--([a-z][a-z-]*)(?=[ \[])", printed(binary, "options").stdout)
    if not commands or not flags:
        yield "no commands or flags found: wrong binary?"
    for name in commands:
        if f'.SS "kubectl gpu {name}' not in plain:
            yield f"the command {name} is missing"
    for name in flags:
        if f"--{name}" not in plain:
            yield f"the flag --{name} is missing"
    if shutil.which("groff"):
        yield from printed("groff", "-man", "-ww", "-z", text=page).stderr.splitlines()


def main():
    found = list(findings(sys.argv[1]))
    print("\n".join(found + [f"{len(found)} findings in the man page"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
