// Statements about the session, which a server does not keep from one request to the next.
import { isName, tokenizeSql, unquoted } from "../../mindsdb/sql/sqlTokens.ts";

/**
 * `use`: the default project of what follows; `withoutEffect`: servers say ok and do nothing (seen on 26.1.0 and 25.14.1).
 */
type SessionStatement = { kind: "use"; database: string } | { kind: "withoutEffect"; word: string };

export function readSessionStatement(sql: string): SessionStatement | undefined {
  const { statements, isSure } = tokenizeSql(sql);
  const [first, second, third] = statements[0]?.tokens ?? [];
  if (!isSure || statements.length !== 1 || first?.kind !== "word") return undefined;
  const word = first.text.toLowerCase();
  if (word === "use" && isName(second) && third === undefined) {
    const name = unquoted(second);
    return { kind: "use", database: second.kind === "word" ? name.toLowerCase() : name };
  }
  // `SET ACTIVE project.model.1` makes a version the active one.
  const isActivation = second?.text.toLowerCase() === "active" && third?.text !== "=";
  const hasNoEffect = word === "set" ? !isActivation : /^(begin|commit|rollback|start)$/.test(word);
  return hasNoEffect ? { kind: "withoutEffect", word: word.toUpperCase() } : undefined;
}
