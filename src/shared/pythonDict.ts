// Parses a Python dictionary, the format of chunk metadata in 25.x; also accepts flat JSON.

const token =
  /\s*('[^'\\]*(?:\\[^][^'\\]*)*'|"[^"\\]*(?:\\[^][^"\\]*)*"|[{}[\]():,]|[^\s'"{}[\]():,]+)/y;

const opening = new Set(["{", "[", "("]);
const closing = new Set(["}", "]", ")"]);

/** Returns keys and values in order: strings unquoted, all else as written. Undefined if it is not a dictionary. */
export function readPythonDict(text: string): Map<string, string> | undefined {
  const found = new Map<string, string>();
  let at = 0;
  const next = (): string | undefined => {
    token.lastIndex = at;
    const taken = token.exec(text)?.[1];
    if (taken !== undefined) at = token.lastIndex;
    return taken;
  };
  /** Reads one token, or a bracketed value; a call like `Timestamp('…')` is one value. */
  const value = (): string | undefined => {
    const start = at;
    let depth = 0;
    for (let taken = next(); taken !== undefined; taken = next()) {
      if (opening.has(taken)) depth++;
      else if (closing.has(taken)) depth--;
      if (depth === 0 && text[at] !== "(") return text.slice(start, at).trim();
    }
    return undefined;
  };
  if (next() !== "{") return undefined;
  for (let key = next(); key !== "}"; key = next()) {
    if (key === undefined || !isText(key) || next() !== ":") return undefined;
    const written = value();
    if (written === undefined) return undefined;
    found.set(unquote(key), isText(written) ? unquote(written) : written);
    const after = next();
    if (after === "}") break;
    if (after !== ",") return undefined;
  }
  return text.slice(at).trim() === "" ? found : undefined;
}

function isText(written: string): boolean {
  return /^['"]/.test(written);
}

const named: Record<string, string> = { n: "\n", r: "\r", t: "\t" };

function unquote(written: string): string {
  return written
    .slice(1, -1)
    .replace(/\\(?:x([\da-f]{2})|u([\da-f]{4})|([^]))/gi, (_, x?: string, u?: string, one = "") => {
      const code = x ?? u;
      return code ? String.fromCharCode(parseInt(code, 16)) : (named[one as string] ?? String(one));
    });
}
