"""Reads the golden cases, for tests that start programs. CONTRIBUTING.md says how a case looks."""
import pathlib
import shlex

HERE = pathlib.Path("tests/golden")


class Case:
    """A folder below tests/golden with a file `case`; the working folder is the root of the project."""

    def __init__(self, folder):
        self.folder = folder
        self.name = str(folder.relative_to(HERE))
        command, *lines = (folder / "case").read_text().splitlines()
        facts = dict(line.split(": ", 1) for line in lines)
        command = command.removeprefix("$").replace("{demo}", "examples/demo-cluster")
        self.words = shlex.split(command.replace("{case}", str(folder)))
        self.forms = facts["forms"].split()
        self.code = int(facts.get("code", 0))
        self.spawned = facts.get("spawned")


def all_cases():
    return [Case(path.parent) for path in sorted(HERE.rglob("case"))]


def forms():
    """The words that each form adds to a command line."""
    lines = [line.split() for line in (HERE / "forms").read_text().splitlines() if not line.startswith("#")]
    return {words[0]: words[1:] for words in lines if words}
