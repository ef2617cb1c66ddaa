// Statements about the session, which a server does not keep from one request to the next.
import { dottedName, tokenizeSql, unquoted } from "../../mindsdb/sql/sqlTokens.ts";

/**
 * `use`: the default project of what follows; `withoutEffect`: servers say ok and do nothing (seen on 26.1.0 and 25.14.1).
 */
type SessionStatement = { kind: "use"; database: string } | { kind: "withoutEffect"; word: string };

export function readSessionStatement(sql: string): SessionStatement | undefined {
  const { statements, isSure } = tokenizeSql(sql);
  const tokens = statements[0]?.tokens ?? [];
  const [first, second, third] = tokens;
  const last = tokens.at(-1);
  if (!isSure || statements.length !== 1 || first?.kind !== "word" || !last) return undefined;
  const word = first.text.toLowerCase();
  // Servers read the last part of a name with dots, and lists of unquoted names in another case are empty (26.1.0).
  if (word === "use" && tokens.length > 1 && tokens.length === 2 * dottedName(tokens, 1).length) {
    const name = unquoted(last);
    return { kind: "use", database: last.kind === "word" ? name.toLowerCase() : name };
  }
  // `SET ACTIVE project.model.1` makes a version the active one.
  const isActivation = second?.text.toLowerCase() === "active" && third?.text !== "=";
  const hasNoEffect = word === "set" ? !isActivation : /^(begin|commit|rollback|start)$/.test(word);
  return hasNoEffect ? { kind: "withoutEffect", word: word.toUpperCase() } : undefined;
}
