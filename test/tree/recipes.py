"""What the recipes for Spack and EasyBuild say, without either: the text of every string in
them, with names from the tree where the recipes use some.

usage: recipes.py FILE...: prints each string of each file on a line of its own; fails on a
file that is not Python.
"""

import ast
import sys


def text(node):
    """A string or an f-string; what is put into the latter is left out."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(text(part) or "" for part in node.values)
    return None


for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read(), path)
    for node in ast.walk(tree):
        words = text(node)
        if words:
            print(" ".join(words.split()))
