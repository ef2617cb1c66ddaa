"""Says of SQL statements what MindsDB's own parser makes of them.

Reads a JSON list of statements, writes a JSON list of "refused", "read", "costs" or a word for what makes each a write.
"""
import json
import sys

from mindsdb_sql_parser import ast, parse_sql
from mindsdb_sql_parser.ast import ASTNode

QUERIES = (ast.Select, ast.Union, ast.Except, ast.Intersect)
READS = QUERIES + (ast.Show, ast.Describe, ast.Explain)
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


def judge(sql):
    try:
        statement = parse_sql(sql)
    except Exception:
        return "refused"
    if not isinstance(statement, READS):
        return type(statement).__name__
    return change(statement) or ("costs" if costs(statement) else "read")


json.dump([judge(sql) for sql in json.load(sys.stdin)], sys.stdout)
