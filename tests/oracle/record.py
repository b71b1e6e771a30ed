#!/usr/bin/env python3
"""Keeps some of the cases that tests/controlplane/cmd/oracle writes: all kinds of answers, few of
each.

Usage: oracle | record.py [--most N] [--alike N] [--long N] FILE.xz
"""

import argparse
import json
import lzma
import re
import sys


def shape(answer):
    """The answer without its numbers and names."""
    text = answer.get("message") or answer.get("queue") or "fits"
    reasons = re.sub(r'"[^"]*"|\d+', "#", text)
    return (answer.get("reason"), bool(answer.get("nominated")), reasons)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=1000, help="how many cases")
    parser.add_argument("--alike", type=int, default=12, help="how many with an answer of the same shape")
    parser.add_argument("--long", type=int, default=10**9, help="leave out longer lines: large clusters")
    parser.add_argument("file")
    arguments = parser.parse_args()
    seen, kept = {}, 0
    with lzma.open(arguments.file, "wt", encoding="utf-8", preset=9) as out:
        for line in sys.stdin:
            if len(line) > arguments.long:
                continue
            case = json.loads(line)
            key = shape(case["answer"])
            if case["answer"].get("queue") or seen.get(key, 0) >= arguments.alike:
                continue
            seen[key] = seen.get(key, 0) + 1
            out.write(json.dumps(case, separators=(",", ":"), ensure_ascii=False) + "\n")
            kept += 1
            if kept == arguments.most:
                break
    print(f"{kept} cases, {len(seen)} shapes of answers", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
