/** Servers return at most this many rows for a search (seen on 26.1.0 and 25.14.1). */
export const maxChunks = 100;
