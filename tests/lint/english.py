#!/usr/bin/env python3
"""Finds text that people read twice: sentences of more than 35 words or two colons, words of HABITS, and a README of
more than 250 lines. In messages, which are the literals of lib/ and cmd/, words of HABITS and of SAID are findings.

HABITS lists what this project used to write and kubectl's documentation does not, each with the better word and an
example that the pattern has to find. Text in code, and what a block of output says, is not looked at.
Usage: english.py ROOT [BINARY] [--printed-too]. Prints every finding and the total, exits 1 if there is one.
Pages and help texts that the program prints are reported, and fail only with --printed-too; help texts need BINARY.
"""
import pathlib
import re
import subprocess
import sys

PAGES = ("*.md", "docs/*.md", "docs/opencost/*.md", "examples/*.md", "examples/*.yaml")
PRINTED = ("docs/reasons/*.md",)  # why-pending --explain
MOST_WORDS, MOST_COLONS, MOST_LINES = 35, 1, 250

# (pattern, better, example)
HABITS = [
    (r"told(?! apart)", "reported", "what the exporter told"),
    (r"tells? (?:of|that|this|it|them|nothing|what|the)", "reports, says", "nodes that it does not tell of"),
    (r"anew", "again", "the pod is made anew"),
    (r"ill", "unhealthy", "a GPU that is ill"),
    (r"heals?|healed", "repair", "heal the node"),
    (r"mend(?:s|ed|ing)?", "fix, correct", "what --fix mended"),
    (r"asked for by", "requested by", "GPUs asked for by the pod"),
    (r"(?:is|are|was|were) asked", "with a subject: `kubectl gpu` queries", "it is asked in this order"),
    (r"asks? (?:the cluster|no cluster|a cluster)", "queries the cluster", "it asks no cluster"),
    (r"lets? (?:it|them|a pod|pods) in", "admits", "the queue lets it in"),
    (r"let in", "admitted", "once it is let in"),
    (r"a word of", "what X reports", "not a word of the kubelet"),
    (r"(?:never|not|not yet) made", "not created", "pods that are not made yet"),
    (r"makes? (?:no |the |its )?pods?", "creates pods", "a kind that makes no pods"),
    (r"in place of", "instead of", "evictions in place of deletions"),
    (r"but for", "except for", "all but for names"),
    (r"stands? (?:in|beside|below|behind|above|under|at|once|there|first|before|alone)", "is, appears",
     "each node stands in one row"),
    (r"(?:is|are) said", "with a subject: the answer says", "a date to come is said"),
    (r"believed?|belief", "used, trusted", "one exporter is believed"),
    (r"(?:in|out of) sight", "visible, read", "a pod that is not in sight"),
    (r"(?:goes|go) by", "uses", "it goes by the version"),
    (r"so (?:long|many|much)(?! (?:as|that))", "that long, that many", "idle for so long"),
    (r"(?<=, )else(?! where)", "otherwise", "it wins, else neither does"),
    (r"to come", "in the future", "times to come"),
    (r"is none(?! of)", "is not one", "a limit that is none"),
    (r"corpses?", "failed pods", "24 corpses"),
    (r"usual namespaces?", "well-known namespace", "one in a usual namespace"),
    (r"made-up", "generated, invented", "made-up nodes"),
    (r"may not be (?:read|listed|looked)", "with a subject: you may not read", "claims may not be read"),
    (r"(?:hold|holds|held) (?:\S+ ){1,6}against", "compares with", "held all of it against a known truth"),
    (r"play(?:s|ed)? (?:\S+ )*?through", "simulates", "many ways are played through"),
    (r"if only that", "even if", "answered, if only that nothing matches"),
    (r"(?:is|are) to be \w+ed", "must be, or with a subject", "the person is to be asked"),
    (r"keeps? to", "respects", "it keeps to the budgets"),
    (r"gone through", "checked", "all are gone through"),
    (r"takes? from others", "stops", "the fix that takes from others"),
    (r"of (?:ours|theirs|its own way)", "name whose", "a price of ours"),
    (r"(?:is|are) looked (?:at|for|into)", "with a subject: `kubectl gpu` looks for", "Prometheus is looked for"),
    (r"speaks? for", "applies to", "one list speaks for a whole cluster"),
    (r"nobody|anybody|somebody", "no one, anyone, or name who", "GPUs that nobody uses"),
]
# The same, in messages only: pages may well ask for a thing.
SAID = [
    (r"ask(?:s|ed|ing)? for", "requests", "the pod asks for 2 GPUs"),
    (r"(?:it|that|which|pods?|claims?|template|container) asks?", "requests", "what the pod asks"),
    (r"make (?:the|a) (?:[A-Z]\w+|namespace|template|workload|storage class)", "create", "make the LocalQueue"),
    (r"lets? .{1,40} (?:tolerate|select)", "add a toleration, select", "let the pod tolerate x"),
]
CHECKS = [(re.compile(rf"(?<![\w-])(?:{pattern})(?![\w-])", re.I), better, example) for pattern, better, example in HABITS]
MESSAGE_CHECKS = CHECKS + [(re.compile(rf"(?<![\w-])(?:{pattern})(?![\w-])"), better, example)
                           for pattern, better, example in SAID]
# Files whose literals are words of others.
QUOTED = {
    "lib/kube/http/server_error.cpp": "sentences of the API server",
    "lib/scheduler/devices/allocator.cpp": "a sentence of Kubernetes' own allocator",
    "lib/input/snapshot/redact_words.cpp": "words that Kubernetes and its controllers write",
    "lib/input/snapshot/hardware_words.cpp": "words that GPU software writes",
}

# Not an end of a sentence, though a full stop and a space follow.
SHORT_FORMS = re.compile(r"\b(e\.g|i\.e|etc|vs|No)\. ")
SENTENCE_END = re.compile(r"(?<=[.!?])[)*_\"]*\s+(?=[A-Z`(\[*\"])")


def bare(text):
    """The text as it is read: a link is its words, and code is one word."""
    text = re.sub(r"\*\*\w+\*\*:", "", text)  # a label, as in a list of definitions
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"`+[^`]*`+", "`x`", text)


def blocks_of(markdown):
    """(line number, text) of each paragraph, list item, heading and table cell; code is left out."""
    fenced, start, words = False, 0, []

    def block():
        return [(start, " ".join(words))] if words else []

    for number, line in enumerate([*markdown.splitlines(), ""], 1):
        fence = line.lstrip().startswith("```")
        indented = line.startswith("    ") and not words
        starts_one = re.match(r"\s*(?:[-*+]|\d+\.)\s|#|\||<", line)
        if fence or fenced or indented or starts_one or not line.strip():
            yield from block()
            words = []
        fenced ^= fence
        if fence or fenced or indented or not line.strip() or line.startswith("<"):
            continue
        if line.startswith("| `kubectl gpu "):
            continue  # what --help says, which tests/lint/readme.py writes
        if line.startswith("|"):
            for cell in re.split(r"(?<!\\)\|", line):
                yield number, cell.strip()
            continue
        if line.startswith("#"):
            yield number, line.lstrip("# ")
            continue
        if not words:
            start = number
        words.append(re.sub(r"^\s*(?:[-*+]|\d+\.|#+)\s+", "", line).strip())


def comments_of(yaml):
    """(line number, text) of each comment, as blocks_of() has it: lines of comment that follow each other are one."""
    # Indented text in a comment is a table or a formula.
    lines = [line[1:].strip() if re.match(r"#( ?\S|$)", line) else "" for line in yaml.splitlines()]
    yield from blocks_of("\n".join(lines))
    for number, line in enumerate(yaml.splitlines(), 1):
        if found := re.search(r"\S\s+# (.*)", line):
            yield number, found.group(1)


def findings_in(text):
    """What is wrong with each sentence of a block."""
    text = SHORT_FORMS.sub(lambda match: match.group().replace(". ", ".\u00a0"), bare(text))
    for sentence in SENTENCE_END.split(text):
        words = [word for word in sentence.split() if re.search(r"\w", word)]
        if len(words) > MOST_WORDS:
            yield f"a sentence of {len(words)} words: {' '.join(words[:7])} ..."
        if len(re.findall(r"[^\s:]:(?=\s)", sentence)) > MOST_COLONS:
            yield f"a sentence with two colons: {' '.join(words[:7])} ..."
        for pattern, better, _ in CHECKS:
            for match in pattern.finditer(sentence):
                yield f"`{match.group()}`: write {better}"


def help_texts(binary):
    """(command, text) of what --help says; of a flag's line, what stands behind the flag."""
    overview = subprocess.run([binary, "--help"], timeout=60, capture_output=True, text=True, check=True).stdout
    for name in re.findall(r"(?m)^  ([a-z][a-z-]*) ", overview.partition("\nCommands:\n")[2]):
        text = subprocess.run([binary, name, "--help"], timeout=60, capture_output=True, text=True, check=True).stdout
        for line in text.splitlines():
            yield f"{name} --help", re.split(r"\s{2,}", line.strip())[-1]


def findings_on(root, names):
    """(how many pages, what is wrong with each sentence of theirs)."""
    pages = sorted({page for name in names for page in root.glob(name)})
    return len(pages), [f"{page.relative_to(root)}:{number}: {finding}" for page in pages
                        for number, text in (comments_of if page.suffix == ".yaml" else blocks_of)(page.read_text())
                        for finding in findings_in(text)]


def messages_of(source):
    """(line number, text) of each literal with several words; literals that follow each other are one."""
    literal = r'"((?:[^"\\\n]|\\.)*)"'
    code = re.sub(r"(?m)^\s*//.*|^#include .*", "", source)
    for match in re.finditer(rf"{literal}(?:\s*{literal})*", code):
        text = "".join(re.findall(literal, match.group()))
        if " " in text:
            yield code.count("\n", 0, match.start()) + 1, text


def findings_in_messages(root):
    """(how many messages, which of their words have better ones)."""
    count, findings = 0, []
    for path in sorted(path for folder in ("lib", "cmd") for path in (root / folder).rglob("*.cpp")):
        name = str(path.relative_to(root))
        if name in QUOTED:
            continue
        for number, text in messages_of(path.read_text()):
            count += 1
            findings += [f"{name}:{number}: `{match.group()}` in \"{text}\": write {better}"
                         for pattern, better, _ in MESSAGE_CHECKS for match in pattern.finditer(text)]
    return count, findings


def main():
    arguments = [word for word in sys.argv[1:] if not word.startswith("--")]
    root = pathlib.Path(arguments[0]).resolve()
    count, findings = findings_on(root, PAGES)
    findings += [f"english.py: the pattern for `{example}` does not find it" for pattern, _, example in MESSAGE_CHECKS
                 if not pattern.search(example)]
    messages, found = findings_in_messages(root)
    findings += found
    lines = (root / "README.md").read_text().count("\n")
    if lines > MOST_LINES:
        findings.append(f"README.md: {lines} lines, more than {MOST_LINES}: move a subject to a page of docs")
    printed_count, printed = findings_on(root, PRINTED)
    printed += [f"{where}: {finding}" for where, text in (help_texts(arguments[1]) if arguments[1:] else [])
                for finding in findings_in(text)]
    for finding in findings + printed:
        print(finding)
    if not count or not printed_count or not messages:
        print("no pages or messages found: wrong root?")
        return 1
    print(f"{count} pages, {messages} messages, {len(findings)} findings; in what the program prints {len(printed)}")
    return 1 if findings or ("--printed-too" in sys.argv and printed) else 0


if __name__ == "__main__":
    sys.exit(main())
