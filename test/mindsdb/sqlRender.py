"""Writes each statement as MindsDB writes it for data sources, and says whether all of it stayed in its quotes.

Reads statements, each as JSON on a line of its own, and writes a line of JSON for each: null for a refused one, else a
list of what is sent in each dialect and what of it is outside of quotes.
"""
import json
import re
import sys
import warnings

sys.dont_write_bytecode = True
warnings.simplefilter("ignore")

import mindsdb_sql_parser
from mindsdb_sql_parser import parse_sql
from mindsdb_sql_parser.ast import ASTNode, Identifier, Join
from mindsdb.integrations.utilities.query_traversal import query_traversal
from mindsdb.utilities.render.sqlalchemy_render import SqlalchemyRender

# Its suggestions for a refused statement take many times longer than parsing it.
mindsdb_sql_parser.ErrorHandling.process = lambda self: "refused"

STANDARD = r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\""
QUOTED = {
    # DuckDB is sent PostgreSQL's.
    "postgres": re.compile(STANDARD),
    "mysql": re.compile(r"'(?:\\.|[^'\\]|'')*'|\"(?:\\.|[^\"\\]|\"\")*\"|`(?:[^`]|``)*`", re.S),
    "mssql": re.compile(STANDARD + r"|\[(?:[^\]]|\]\])*\]"),
}


def conditions(node):
    """The conditions of joins: DuckDB is sent each by itself."""
    if isinstance(node, (list, tuple)):
        return [found for item in node for found in conditions(item)]
    if not isinstance(node, ASTNode):
        return []
    own = [node.condition] if isinstance(node, Join) and node.condition else []
    return own + conditions(list(vars(node).values()))


def take_off_source(node, is_table, **_):
    """A data source is sent names without its own."""
    if is_table and isinstance(node, Identifier) and len(node.parts) > 2:
        node.parts, node.is_quoted = node.parts[1:], node.is_quoted[1:]


def write(dialect, node, with_failback):
    """What is sent, or None where the server only answers with an error."""
    try:
        return SqlalchemyRender(dialect).get_string(node, with_failback=with_failback)
    except Exception:
        return None


def judge(sql):
    try:
        parsed = parse_sql(sql)
        query_traversal(parsed, take_off_source)
    except Exception:
        return None
    written = []
    for dialect, quoted in QUOTED.items():
        rendered = write(dialect, parsed, False)
        parts = [("rendered", rendered)] if rendered is not None else [("text", write(dialect, parsed, True))]
        if dialect == "postgres":
            parts += [("condition", write(dialect, one, True)) for one in conditions(parsed)]
        for how, text in parts:
            # SQL Server refuses backticks.
            if text is not None and not (dialect == "mssql" and "`" in text):
                outside = quoted.sub("''", text)
                written.append({"dialect": dialect, "how": how, "text": text, "outside": outside})
    return written


for line in sys.stdin:
    print(json.dumps(judge(json.loads(line))))
