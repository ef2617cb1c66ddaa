"""Says of SQL statements what MindsDB's own parser makes of them.

Reads statements, each as JSON on a line of its own, and writes a line of JSON for each: its verdict, "refused", "read",
"costs" or a word for what makes it a write, the tables that it reads from, and every name and text in it. A table is a
list of parts, or null where something else than a name stands.
"""
import json
import sys

import mindsdb_sql_parser
from mindsdb_sql_parser import ast, parse_sql
from mindsdb_sql_parser.ast import ASTNode

QUERIES = (ast.Select, ast.Union, ast.Except, ast.Intersect)
READS = QUERIES + (ast.Show, ast.Describe, ast.Explain)
# Its suggestions for a refused statement take many times longer than parsing it.
mindsdb_sql_parser.ErrorHandling.process = lambda self: "refused"

ACTING = {"query_cancel", "query_resume", "nextval"}
PAID = {"llm", "to_markdown"}


def change(node):
    """What changes something in a parsed query, or None."""
    if isinstance(node, (list, tuple)):
        return next(filter(None, map(change, node)), None)
    if isinstance(node, dict):
        return change(list(node.values()))
    if not isinstance(node, ASTNode):
        return None
    kind = type(node).__name__
    if kind in ("NativeQuery", "Last"):
        return kind
    if isinstance(node, ast.Function) and (node.op.lower() in ACTING or node.namespace):
        return "function"
    if isinstance(node, ast.Select):
        if node.using or node.mode:
            return "options"
        inner = node.from_table
        if isinstance(inner, ASTNode) and kind_of_source(inner):
            return kind_of_source(inner)
    return change([value for value in vars(node).values()])


def costs(node):
    """Whether a parsed query calls a function that asks a language model or another web server."""
    if isinstance(node, (list, tuple)):
        return any(map(costs, node))
    if isinstance(node, dict):
        return costs(list(node.values()))
    if not isinstance(node, ASTNode):
        return False
    if isinstance(node, ast.Function) and node.op.lower() in PAID:
        return True
    return costs(list(vars(node).values()))


def kind_of_source(node):
    """Why a table's place does not hold a table or a query, or None."""
    if isinstance(node, ast.Join):
        return kind_of_source(node.left) or kind_of_source(node.right)
    if isinstance(node, READS + (ast.Identifier, ast.NativeQuery, ast.Parameter)):
        return None
    return type(node).__name__


def judge(statement):
    # USE sets the project of a session, and over HTTP each request has a session of its own.
    if not isinstance(statement, READS + (ast.Use,)):
        return type(statement).__name__
    return change(statement) or ("costs" if costs(statement) else "read")


def tables(node):
    """The tables in a parsed statement."""
    if isinstance(node, (list, tuple)):
        return [name for item in node for name in tables(item)]
    if isinstance(node, dict):
        return tables(list(node.values()))
    if not isinstance(node, ASTNode):
        return []
    found = []
    if isinstance(node, ast.Select) and node.from_table is not None:
        found += source(node.from_table)
    elif isinstance(node, ast.Join):
        found += source(node.left) + source(node.right)
    elif isinstance(node, ast.NativeQuery):
        found += source(node.integration)
    return found + tables(list(vars(node).values()))


def source(node):
    """The name of what is in the place of a table."""
    if isinstance(node, ast.Identifier):
        return [[str(part) for part in node.parts]]
    if isinstance(node, QUERIES + (ast.Join, ast.NativeQuery)):
        return []
    return [None]


def words(node):
    """The names and texts in a parsed statement."""
    if isinstance(node, str):
        return [node]
    if isinstance(node, (list, tuple)):
        return [word for item in node for word in words(item)]
    if isinstance(node, dict):
        return words(list(node.items()))
    return words(list(vars(node).values())) if isinstance(node, ASTNode) else []


for line in sys.stdin:
    try:
        parsed = parse_sql(json.loads(line))
        answer = {"verdict": judge(parsed), "tables": tables(parsed), "words": words(parsed)}
    except Exception:
        answer = {"verdict": "refused", "tables": [], "words": []}
    print(json.dumps(answer))
