#!/usr/bin/env python3
"""Finds random draws that one expression makes in no fixed order.

usage: order.py FILE...

Compilers evaluate arguments of a call, elements of an initialiser and operands of
most operators in the order they like; two of them that draw from one generator
give other cases on another processor.  Prints "FILE:LINE: NAMES" for each place
and ends with 1 if there is one.  Reads C as text: calls are told by their names,
and those of a file's own functions and macros that draw are found.
"""

import re
import sys

# What changes the state of a generator, wherever it is defined.
DRAWS = re.compile(
    r"rng_(next|unit|below|between|size|chance)|draw(_\w+)?|random(_\w+)?|\w+_random|"
    r"rand|[delmn]rand48"
)
TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|\w+|&&|\|\||[^\w\s]", re.S
)
DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.M)
OPENING, CLOSING = "([{", ")]}"
# What fixes the order of what stands before it and after it.
CONTROL = {"if", "for", "while", "switch"}
ORDERED = {"&&", "||", "?", ":", ";"}


class Group:
    """What stands between brackets, or a whole file."""

    def __init__(self, bracket, line):
        self.bracket, self.line, self.parts = bracket, line, []


def tokens(text):
    line = 1
    position = 0
    for match in TOKEN.finditer(text):
        line += text.count("\n", position, match.start())
        position = match.start()
        if not match.group().startswith(("//", "/*")):
            yield match.group(), line


def parse(text):
    stack = [Group("", 1)]
    for token, line in tokens(text):
        if token in OPENING:
            group = Group(token, line)
            stack[-1].parts.append(group)
            stack.append(group)
        elif token in CLOSING:
            if len(stack) > 1:
                stack.pop()
        else:
            stack[-1].parts.append((token, line))
    return stack[0]


def words(group):
    for part in group.parts:
        if isinstance(part, Group):
            yield from words(part)
        else:
            yield part[0]


def functions(whole):
    """Names and bodies of the file's functions."""
    parts = whole.parts
    for i in range(2, len(parts)):
        name, arguments, body = parts[i - 2], parts[i - 1], parts[i]
        if (
            isinstance(body, Group) and body.bracket == "{"
            and isinstance(arguments, Group) and arguments.bracket == "("
            and not isinstance(name, Group)
        ):  # fmt: skip
            yield name[0], set(words(body))


def drawing_names(text, whole):
    bodies = dict(functions(whole))
    for name, body in re.findall(r"#[ \t]*define[ \t]+(\w+)((?:\\\n|[^\n])*)", text):
        bodies[name] = set(re.findall(r"\w+", body))
    drawing = {w for body in bodies.values() for w in body if DRAWS.fullmatch(w)}
    drawing |= {name for name in bodies if DRAWS.fullmatch(name)}
    macros = set(re.findall(r"#[ \t]*define[ \t]+(\w+)(?!\w|\()", text))
    while True:
        more = {n for n, body in bodies.items() if body & drawing} - drawing
        if not more:
            return drawing, macros & drawing
        drawing |= more


class Finder:
    def __init__(self, drawing, macros):
        self.drawing, self.macros, self.places = drawing, macros, set()

    def draws(self, group, i):
        """The name if what stands at i draws by itself."""
        part = group.parts[i]
        if isinstance(part, Group):
            return None
        following = group.parts[i + 1] if i + 1 < len(group.parts) else None
        call = isinstance(following, Group) and following.bracket == "("
        name = part[0]
        return name if name in self.macros or (call and name in self.drawing) else None

    def visit(self, group, is_list):
        """Names drawn inside, the first of them; is_list: commas part arguments or
        elements, whose order is open."""
        here, inside = [], []
        for i, part in enumerate(group.parts):
            if isinstance(part, Group):
                kind = self.kind(group, i)
                found = self.visit(part, kind == "list")
                if i > 0 and self.draws(group, i - 1):
                    found = []  # arguments come before the call
                if kind in ("block", "condition"):
                    here, found = [], []
            else:
                name = self.draws(group, i)
                found = [name] if name else []
                if part[0] in ORDERED or (part[0] == "," and not is_list):
                    here = []
            if found and here:
                line = part.line if isinstance(part, Group) else part[1]
                self.places.add((line, f"{here[-1]} and {found[0]}"))
            here += found
            inside += found
        return inside[:1]

    @staticmethod
    def kind(group, i):
        """Of the brackets at i: "block", "condition", "list" or "" for an expression."""
        part = group.parts[i]
        before = group.parts[i - 1] if i > 0 else (None, 0)
        name = None if isinstance(before, Group) else before[0]
        further = group.parts[i - 2] if i > 1 else (None, 0)
        of_condition = not isinstance(further, Group) and further[0] in CONTROL
        if part.bracket == "(":
            if name in CONTROL:
                return "condition"
            return "list" if name and re.fullmatch(r"\w+", name) and name != "return" else ""
        if part.bracket == "{":
            literal = isinstance(before, Group) and group.bracket != "" and not of_condition
            return "list" if literal or name in ("=", ",") else "block"
        return ""


def main(files):
    bad = False
    for file in files:
        with open(file, encoding="utf-8") as source:
            text = source.read()
        whole = parse(DIRECTIVE.sub(lambda m: "\n" * m.group().count("\n"), text))
        drawing, macros = drawing_names(text, whole)
        finder = Finder(drawing, macros)
        finder.visit(whole, False)
        for line, names in sorted(finder.places):
            print(f"{file}:{line}: {names}")
            bad = True
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
