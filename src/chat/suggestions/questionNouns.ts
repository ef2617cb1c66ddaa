// Converts names of tables and columns to words for questions, by English rules.

/** Prefixes of table names without meaning. */
const prefixes = /^(?:tbl|dim|fact|stg|raw|vw|src)\s+/;

/** Splits a name into words: `RENTAL_PRICE`, `rentalPrice` and `rental-price` become "rental price"; "GDP" stays. */
export function splitIntoWords(name: string): string {
  const isShouted = name === name.toUpperCase() && name.length > 4;
  const words = name
    .replace(/(\p{Ll}|\p{N})(?=\p{Lu})/gu, "$1 ")
    .replace(/[\s_.-]+/g, " ")
    .trim();
  return words
    .split(" ")
    .map((word) => (isShouted || word !== word.toUpperCase() ? word.toLowerCase() : word))
    .join(" ");
}

/** Returns the noun for a table's rows: "orders" for `tbl_order`; undefined if it is not a noun, as in `sales_2024`. */
export function findRowNoun(table: string): string | undefined {
  const words = splitIntoWords(table).replace(prefixes, "");
  return /^[\p{L} ]+$/u.test(words) && !/\b(?:data|table|sheet|list|file|set)$/i.test(words)
    ? plural(words)
    : undefined;
}

/** Returns what a number column measures: "number of days on market" for `days_on_market`. */
export function formatMeasure(column: string): string {
  const words = splitIntoWords(column);
  return findCounted(column) === undefined || words.startsWith("number of ")
    ? words
    : `number of ${words}`;
}

/** Returns what a number column counts: "parks" for `number_of_parks`; undefined if it counts nothing. */
export function findCounted(column: string): string | undefined {
  const words = splitIntoWords(column).replace(/^(?:number of|num|count of) /, "");
  const [head = ""] = words.split(/ (?:on|of|in|at|per|to|from|for) /);
  const isCount = isPlural(head) && !/^(?:sales|earnings|savings|expenses|costs)$/.test(head);
  return isCount ? words : undefined;
}

/** Returns a knowledge base's name as words: "product knowledge base" for `product_kb`. */
export function knowledgeBaseName(name: string): string {
  return splitIntoWords(name).replace(/(?:^| )kb$/i, (kb) => kb.replace(/kb/i, "knowledge base"));
}

export function isPlural(words: string): boolean {
  return /(?:[^aisu]s|ies|[aeiou]es|people|children|data)$/i.test(words);
}

export function plural(words: string): string {
  if (isPlural(words)) return words;
  if (/person$/i.test(words)) return words.replace(/person$/i, "people");
  if (/child$/i.test(words)) return `${words}ren`;
  if (/[^aeiou]y$/i.test(words)) return `${words.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/i.test(words) ? `${words}es` : `${words}s`;
}

export function singular(words: string): string {
  if (!isPlural(words)) return words;
  if (/people$/i.test(words)) return words.replace(/people$/i, "person");
  if (/[^aeiou]ies$/i.test(words)) return `${words.slice(0, -3)}y`;
  return /(?:ss|[^o]us|x|ch|sh)es$/i.test(words) ? words.slice(0, -2) : words.replace(/s$/i, "");
}
