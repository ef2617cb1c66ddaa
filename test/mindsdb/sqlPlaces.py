"""Says of SQL statements where MindsDB's own parser stops; with --grammar, what its grammar is.

Reads statements, each as JSON on a line of its own, and writes a line of JSON for each: true if it is accepted, or the
offset of the refused token or character in UTF-16 units, "end" if the statement is incomplete, or "rule" if the grammar
allows it.
"""
import json
import sys

import mindsdb_sql_parser
from mindsdb_sql_parser import parse_sql
from mindsdb_sql_parser.lexer import MindsDBLexer
from mindsdb_sql_parser.parser import MindsDBParser
from sly.lex import LexError


class Refused(Exception):
    pass


def stop(self):
    raise Refused(self.parser.error_info["bad_token"])


mindsdb_sql_parser.ErrorHandling.process = stop


def judge(sql):
    def offset(index):
        return len(sql[:index].encode("utf-16-le", "surrogatepass")) // 2

    try:
        parse_sql(sql)
        return True
    except Refused as refused:
        token = refused.args[0]
        return "end" if token is None else offset(token.index)
    except LexError as error:
        return offset(error.error_index)
    except Exception:
        return "rule"


def spell(name):
    pattern = getattr(MindsDBLexer, name)
    if not isinstance(pattern, str):
        return None
    if "[" in pattern.replace("\\[", ""):
        return name.replace("_", " ")
    return "!=" if "|" in pattern.replace("\\|", "") else pattern.replace("\\b", "").replace("\\", "")


def grammar():
    """The rules of the parser, and how its tokens are written; null for kinds of values."""
    rules = [[rule.name, list(rule.prod)] for rule in MindsDBParser._grammar.Productions[1:]]
    return {"rules": rules, "tokens": {name: spell(name) for name in sorted(MindsDBLexer.tokens)}}


if "--grammar" in sys.argv:
    print(json.dumps(grammar()))
    sys.exit()
for line in sys.stdin:
    print(json.dumps(judge(json.loads(line))))
