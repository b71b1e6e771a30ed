"""Small changes of C++ source that a test should notice: where they can be made, and what the line then says."""
import collections
import dataclasses
import re

HIDDEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)'(?:\\.|[^'\\\n])+'"""
    r"""|^[ \t]*#[^\n]*|\btemplate\s*<[^\n]*|static_assert[^\n]*""", re.S | re.M)
COMPARED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
JOINED = {"&&": "||", "||": "&&"}


@dataclasses.dataclass(frozen=True)
class Mutation:
    path: str  # from the root
    line: int
    kind: str
    start: int
    end: int
    text: str  # in place of what stands there

    def applied(self, source):
        return source[:self.start] + self.text + source[self.end:]


def without_text(source):
    """The source with blanks in place of comments, literals and directives: every place stays where it is."""
    return HIDDEN.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), source)


def enumerators(sources):
    """Enums by name, with their values: only those whose name is used once, so that a use tells which."""
    found = collections.defaultdict(list)
    for source in sources:
        for name, body in re.findall(r"\benum (?:class )?(\w+)[^{};]*\{([^}]*)\}", without_text(source)):
            values = [re.match(r"\w+", part.strip()).group() for part in body.split(",")
                      if re.match(r"\w+", part.strip())]
            found[name].append(values)
    return {name: values[0] for name, values in found.items() if len(values) == 1 and len(values[0]) > 1}


def condition_after(text, at):
    """The end of the parenthesis that opens at `at`, or None where it holds more than a condition."""
    depth = 0
    for end in range(at, len(text)):
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        if depth == 0:
            inside = text[at + 1:end]
            return None if ";" in inside or re.search(r"\b(auto|const)\b[^=]*[^=!<>]=[^=]", inside) else end
    return None


def places(text, enums, random):
    """(kind, start, end, new text) of everything that can be changed; `text` is without_text()."""
    for found in re.finditer(r" (<=|>=|==|!=|<|>) (?!=)", text):
        yield "comparison", *found.span(1), COMPARED[found.group(1)]
    for found in re.finditer(r" (&&|\|\|) ", text):
        # `a && b` may be a reference in a declaration; such a line does not compile, and another is drawn.
        yield "and/or", *found.span(1), JOINED[found.group(1)]
    for found in re.finditer(r"(?<=[\w)\]]) [+-] 1\b", text):
        yield "off by one", *found.span(), ""
    for found in re.finditer(r"\b(?:i|at|begin|first|from) = 0\b", text):
        yield "off by one", found.end() - 1, found.end(), "1"
    for found in re.finditer(r"\bif (?:constexpr )?\(", text):
        if (end := condition_after(text, found.end() - 1)) is not None:
            yield "condition", found.end(), end, None
    for found in re.finditer(r"(?<=[\s)])(?:continue|return(?: [^;{}\n]+)?|[\w.\->]+push_back\([^;\n]*\));(?=\n)", text):
        # The last statement of a function that returns a value cannot go.
        is_last = re.match(r"\s*\n\}", text[found.end():]) and text[found.start():].startswith("return ")
        if not is_last:
            yield "dropped statement", *found.span(), "{}"
    for found in re.finditer(r"(?<![\w.\[<'])(\d+)(?![\w.'>\]])", text):
        line = text[text.rfind("\n", 0, found.start()) + 1:found.start()]
        if int(found.group(1)) > 1 and not re.search(r"\b(hash|sum) [=*^]", line):  # another hash is a hash
            yield "constant", *found.span(1), str(int(found.group(1)) + 1)
    for found in re.finditer(r"\b([A-Z]\w+)::(\w+)\b(?!\()", text):
        others = [value for value in enums.get(found.group(1), []) if value != found.group(2)]
        if found.group(2) in enums.get(found.group(1), []) and not re.search(r"case [\w:]*$", text[:found.start()]):
            yield "enum value", *found.span(2), random.choice(others)


def mutations_of(path, source, enums, random):
    text = without_text(source)
    for kind, start, end, new in places(text, enums, random):
        new = f"!({source[start:end]})" if new is None else new
        yield Mutation(path, source.count("\n", 0, start) + 1, kind, start, end, new)


def drawn(files, enums, random):
    """All mutations of `files` ((path, source)), the kinds in turn, in an order that only `random` decides."""
    by_kind = collections.defaultdict(list)
    for path, source in files:
        for each in mutations_of(path, source, enums, random):
            by_kind[each.kind].append(each)
    for mutations in by_kind.values():
        random.shuffle(mutations)
    while any(by_kind.values()):
        for kind in sorted(by_kind):
            if by_kind[kind]:
                yield by_kind[kind].pop()
