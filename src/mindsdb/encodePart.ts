/** A name as one part of a path. Halves of surrogate pairs, which servers can send and URLs cannot hold, become U+FFFD. */
export function encodePart(name: string): string {
  return encodeURIComponent(name.replace(/\p{Surrogate}/gu, "\ufffd"));
}
