// How deeply a text is nested, before the parts of the YAML library see it that are recursive: a process whose stack
// overflows while it compiles a regular expression ends at once (V8).
import { Parser, type CST } from "yaml";

/** Nested brackets that the parser gets to see. */
const maxBrackets = 200;
/** Nested maps and lists that are composed. */
const maxYamlDepth = 200;

/** Whether a text has no more open brackets at once than the parser can take, those in texts included. */
export function hasFewBrackets(text: string): boolean {
  let open = 0;
  for (const character of text) {
    if (character === "[" || character === "{") open++;
    else if ((character === "]" || character === "}") && open > 0) open--;
    if (open > maxBrackets) return false;
  }
  return true;
}

/** Whether the nodes of a text can be composed. */
export function isShallow(text: string): boolean {
  return hasFewBrackets(text) && [...new Parser().parse(text)].every(isShallowToken);
}

/** Whether a token can be composed, with all that it contains. */
export function isShallowToken(token: CST.Token): boolean {
  let level: CST.Token[] = [token];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxYamlDepth) return false;
    level = level.flatMap(listChildren);
  }
  return true;
}

function listChildren(token: CST.Token): CST.Token[] {
  if (token.type === "document") return token.value ? [token.value] : [];
  if (!("items" in token)) return [];
  return token.items.flatMap(({ key, value }: CST.CollectionItem) => [
    ...(key ? [key] : []),
    ...(value ? [value] : []),
  ]);
}
