// Finds inputs that `SELECT … FROM model WHERE input = value` ignores: servers pass a name that is not plain on in
// backticks, and no engine knows such a column (seen on 26.1.0; the code of 25.14.1 is the same).
import type { SqlNode } from "../../mindsdb/sql/parser/sqlNode.ts";

/** A condition `name = value`. */
interface InputNodes {
  name: SqlNode;
  value: SqlNode;
}

/** Words that servers write in backticks. */
const quotedWords = new Set(
  (
    "values describe then write with insert drop cross set asc is in not into window alter where distinct use inner " +
    "collate for using full like join select over case limit end union delete having outer from as character intersect " +
    "convert when or and update between desc explain show except left else read right"
  ).split(" "),
);

/**
 * The inputs that a condition gives a model, in the order of the text; none if it has anything but names and values compared
 * with `=` and joined by AND, which servers refuse. Parentheses may be anywhere around them.
 */
export function readInputs(condition: SqlNode): InputNodes[] {
  const inputs: InputNodes[] = [];
  const waiting = [condition];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [first, operator, last] = unwrap(next).children;
    if (!first || !operator || !last) return [];
    if (operator.kind === "AND") {
      waiting.push(last, first);
      continue;
    }
    const [name, value] = [unwrap(first), unwrap(last)];
    const isInput =
      operator.kind === "=" &&
      name.kind === "name" &&
      (value.kind === "constant" || value.kind === "parameter");
    if (!isInput) return [];
    inputs.push({ name, value });
  }
  return inputs;
}

/** An expression without the parentheses around it. */
export function unwrap(expression: SqlNode): SqlNode {
  let node = expression;
  while (node.kind === "expression") {
    const [first, inner] = node.children;
    const only = node.children.length === 1 ? first : first?.kind === "(" ? inner : undefined;
    if (!only) break;
    node = only;
  }
  return node;
}

/** The parts of an input's name without the model's name or alias, which the server removes. */
export function withoutModel(parts: readonly string[], alias: string): readonly string[] {
  return parts.length > 1 && parts[0] === alias ? parts.slice(1) : parts;
}

/** Whether servers pass on a part of an input's name as it is. */
export function isPlainInput(part: string): boolean {
  return /^[a-z_]\w*$/i.test(part) && !quotedWords.has(part.toLowerCase());
}
