// Where a cursor is in YAML of block style, by indentation: the text around it need not be complete.

interface YamlPlace {
  /** The keys that lead to the map at the cursor, without lists: ["tests", "assert"]. */
  path: string[];
  /** The key whose value begins on the cursor's line; undefined at the place of a key. */
  key?: string;
  /** The line up to the cursor, without indentation, dashes, and the key. */
  written: string;
}

/** The most lines above the cursor that are read. */
const maxLinesAbove = 5_000;

/** Dashes, then a key with its colon. */
const line = /^(?<lead>[ ]*(?:-[ ]+)*)(?:(?<key>[\w$-]+|"[^"]*"|'[^']*'):(?=\s|$)\s*)?/;

/** `before` are the lines up to the cursor; the last one ends there. */
export function findYamlPlace(before: readonly string[]): YamlPlace {
  const last = split(before.at(-1) ?? "");
  const path: string[] = [];
  let inner = last;
  const end = Math.max(0, before.length - 1 - maxLinesAbove);
  for (let at = before.length - 2; at >= end; at--) {
    const text = before[at] ?? "";
    if (text.trim() === "" || text.trimStart().startsWith("#")) continue;
    const above = split(text);
    if (above.key === undefined) continue;
    // The dash of a list can be as far left as the key above it.
    const isParent = inner.dash < 0 ? above.column < inner.column : above.column <= inner.dash;
    if (isParent) path.unshift(above.key);
    // The line with the dash begins the item that the other keys of the map are in.
    const isSameItem = inner.dash < 0 && above.dash >= 0 && above.column === inner.column;
    if (isParent || isSameItem) inner = above;
  }
  return { path, ...(last.key === undefined ? {} : { key: last.key }), written: last.rest };
}

/** The columns of a line's first dash (-1 without one) and of what follows its dashes, its key, and the rest. */
function split(text: string): {
  dash: number;
  column: number;
  key: string | undefined;
  rest: string;
} {
  const found = line.exec(text);
  const { lead = "", key } = found?.groups ?? {};
  return {
    dash: lead.indexOf("-"),
    column: lead.length,
    key: key?.replace(/^["']|["']$/g, ""),
    rest: text.slice(found?.[0].length ?? 0),
  };
}
