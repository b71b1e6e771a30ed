#!/usr/bin/env python3
"""What `gen` prints has no finding of `lint`: every manifest that a golden case of gen expects.

Usage: gen_passes.py ROOT BINARY
"""
import json
import pathlib
import re
import subprocess
import sys

ANSI = re.compile(r"\\e\[[0-9;]*m")


def main():
    root, binary = pathlib.Path(sys.argv[1]), sys.argv[2]
    checked = problems = 0
    for path in sorted((root / "tests/golden/gen").rglob("*.stdout")):
        text = ANSI.sub("", path.read_text())
        # Others are tables, errors, and values of a Helm chart.
        if not re.search(r'^(apiVersion: |\{$)', text, re.M) or '"apiVersion": "kubectl-gpu/' in text:
            continue
        done = subprocess.run([binary, "lint", "-", "-o", "json"], input=text, capture_output=True, text=True, timeout=60)
        findings = json.loads(done.stdout)["items"]
        checked += 1
        for each in findings:
            if each["rule"] == "image-latest":  # the image is what the case typed
                continue
            problems += 1
            print(f"{path.relative_to(root)}:{each['line']}: {each['severity']} {each['rule']} {each['path']}: {each['message']}")
    print(f"{checked} manifests, {problems} findings")
    return 1 if problems or checked < 40 else 0


sys.exit(main())
