// Stands in for the package "entities" in pages: markdown-it decodes names of characters with it, whose table is a fiftieth of
// the VSIX. A browser has that table.
const decoder = document.createElement("i");

/**
 * The character that `&name;` stands for, or the text unchanged if HTML has no such name. Only for that pattern: nothing
 * else is given to the browser's parser.
 */
export function decodeHTMLStrict(reference: string): string {
  if (!/^&[a-z][a-z\d]*;$/i.test(reference)) return reference;
  // eslint-disable-next-line no-restricted-properties -- Holds no tag, as checked above.
  decoder.innerHTML = reference;
  const decoded = decoder.textContent;
  // Of an unknown name, the parser decodes the beginning that is one: "&notit;".
  return decoded.endsWith(";") && reference !== "&semi;" ? reference : decoded;
}
