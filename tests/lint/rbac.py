#!/usr/bin/env python3
"""Holds examples/rbac.yaml against the kinds that the source reads: rows of the tables of kinds, and paths of the API.

Usage: rbac.py ROOT. Prints every difference, exits 1 if there is one.
"""
import pathlib
import re
import sys

# A row of a table of kinds: {..., "CSINode", "storage.k8s.io", "v1", "csinodes", ...
ROW = re.compile(r'[{,]\s*"[A-Z]\w+",\s*"([a-z0-9.-]*)",\s*"v[\w ]+",\s*"([a-z]+)"')
NAMED_TEXT = re.compile(r'constexpr std::string_view (k\w+) =\s*"([^"\n]*)";')
CORE = re.compile(r'"/api/v1/(?!namespaces/|query)([a-z]+)')  # /api/v1/query is Prometheus's own
IN_NAMESPACE = re.compile(r'"/api/v1/namespaces/" \+ [\w:]+\([\w.]+\) \+\s*"/([a-z]+)/?"')
GROUP = re.compile(r'"/apis/([a-z0-9.]+\.[a-z0-9.]+)/"')  # what stands behind it is found while it runs
WHOLE_PATH = re.compile(r'"/apis/([a-z0-9.]+)/v\w+/(?:namespaces/[\w-]+/)?([a-z]+)')
DEVICES = re.compile(r'"/(resourceslices|resourceclaims|deviceclasses)"')
RULE = re.compile(r"- apiGroups: \[(.*?)\]\s*\n\s*resources: \[(.*?)\][^\n]*\n(?:\s*resourceNames: [^\n]*\n)?"
                  r"\s*verbs: \[(.*?)\]", re.S)
# Not a resource: the role system:discovery lets everyone read it.
DISCOVERY = "apidiscovery.k8s.io"
# Who may list Secrets may read them, so no rule grants it: `gen` asks for the metadata of those of one namespace where a person
# names one, and says nothing where it may not.
NEVER_GRANTED = {("", "secrets")}
READING = {"get", "list", "watch"}


def resources_read(root):
    """(group, resource) of all that the source asks an API server for."""
    read = set()
    for path in sorted((root / "lib").rglob("*.cpp")):
        text = re.sub(r"//[^\n]*", "", path.read_text())
        for name, value in NAMED_TEXT.findall(text):
            text = re.sub(rf"\b{name}\b", lambda _, value=value: f'"{value}"', text)
        read |= {row for row in ROW.findall(text) if row[0] != DISCOVERY}
        read |= {("", name) for name in CORE.findall(text)}
        read |= {(group, "*") for group in GROUP.findall(text) if group != "resource.k8s.io"}
        read |= set(WHOLE_PATH.findall(text))
        read |= {("resource.k8s.io", name) for name in DEVICES.findall(text)}
        # A name follows, then `/proxy`: the pod or the service is asked, not read.
        behind = "/proxy" if '"/proxy"' in text else ""
        read |= {("", name + behind) for name in IN_NAMESPACE.findall(text)}
    return read


def words(text):
    return [word.strip().strip('"') for word in text.split(",")]


def rules_of(root):
    """(groups, resources, verbs) of each rule."""
    text = re.sub(r"(?m)\s+#.*$|^#.*$", "", (root / "examples/rbac.yaml").read_text())
    return [tuple(words(part) for part in rule) for rule in RULE.findall(text)]


def differences(read, rules):
    granted = {(group, name) for groups, names, _ in rules for group in groups for name in names}
    for group, name in sorted(granted & NEVER_GRANTED):
        yield f"a rule grants {name}, which no rule may"
    for group, name in sorted(read - granted - NEVER_GRANTED):
        yield f"{name}.{group} is read, and no rule of examples/rbac.yaml grants it".replace(". ", " ")
    for groups, names, verbs in rules:
        for group in groups:
            if not any((group, name) in read for name in names):
                yield f"a rule names the group {group}, of which nothing is read"
        for name in names:
            if not any((group, name) in read for group in groups):
                yield f"a rule grants {name}, which nothing reads"
        for verb in sorted(set(verbs) - READING):
            yield f"a rule grants {verb}: we only read"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    read, rules = resources_read(root), rules_of(root)
    found = list(differences(read, rules))
    for line in found:
        print(line)
    if not read or not rules:
        print("no kinds or no rules found: wrong root?")
        return 1
    print(f"{len(read)} resources, {len(rules)} rules, {len(found)} differences")
    return 1 if found else 0


sys.exit(main())
