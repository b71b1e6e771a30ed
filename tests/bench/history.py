#!/usr/bin/env python3
"""`cost jobs --since 7d` where 10,000 pods with GPUs came and went in a week: time and memory, beside what Prometheus
itself takes for one of the questions.

Usage: history.py BINARY [--pods N] [--scrape SECONDS]. Needs prometheus and promtool.
"""
import argparse
import json
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "history"))
import stand  # noqa: E402
import week  # noqa: E402


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--pods", type=int, default=10_000)
    parser.add_argument("--scrape", type=int, default=120)
    args = parser.parse_args()
    week.SCRAPE = stand.SCRAPE = args.scrape
    made = week.Week(int(time.time()) // args.scrape * args.scrape, args.pods, mean_hours=2)
    server = stand.ApiServer(made.objects())
    with tempfile.TemporaryDirectory() as folder:
        with stand.Prometheus(folder, made.series()) as prometheus:
            config = server.kubeconfig(pathlib.Path(folder, "config"))
            words = ["cost", "--by", "owner", "--since=7d", "--prometheus-url", prometheus.url, "-o", "json"]
            for _ in range(3):
                out, _, seconds, mib = stand.ask(args.binary, config, *words)
                rows = json.loads(out)["items"]
                told = sum(row["pods"] + row["finishedPods"] for row in rows)
                print(f"{args.pods} pods, {told} told of, {len(rows)} owners: {seconds:.2f} s, {mib:.0f} MiB")
            truth = sum(each["usd"] for each in made.truth().values())
            print(f"{sum(row['usdTotal'] or 0 for row in rows):.2f} $, truth {truth:.2f} $")


main()
