// Names of tables and columns as the words of a question. The names are the server's, mostly English; the rules are too.

/** Abbreviations that stand before what a table holds, and say nothing about it. */
const prefixes = /^(?:tbl|dim|fact|stg|raw|vw|src)\s+/;

/** A name as words: `RENTAL_PRICE`, `rentalPrice` and `rental-price` are "rental price"; "GDP" stays as it is. */
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

/** What a table's rows are called: "orders" for `tbl_order`; undefined where its name is no noun, as in `sales_2024`. */
export function rowsOf(table: string): string | undefined {
  const words = splitIntoWords(table).replace(prefixes, "");
  return /^[\p{L} ]+$/u.test(words) && !/\b(?:data|table|sheet|list|file|set)$/i.test(words)
    ? plural(words)
    : undefined;
}

/** What a column of numbers measures: "number of days on market" for `days_on_market`. */
export function measureOf(column: string): string {
  const words = splitIntoWords(column);
  return countedBy(column) === undefined || words.startsWith("number of ")
    ? words
    : `number of ${words}`;
}

/** What a column of numbers counts: "parks" for `parks` and `number_of_parks`; undefined where it counts nothing. */
export function countedBy(column: string): string | undefined {
  const words = splitIntoWords(column).replace(/^(?:number of|num|count of) /, "");
  const [head = ""] = words.split(/ (?:on|of|in|at|per|to|from|for) /);
  const isCount = isPlural(head) && !/^(?:sales|earnings|savings|expenses|costs)$/.test(head);
  return isCount ? words : undefined;
}

/** A knowledge base as one speaks of it: "product knowledge base" for `product_kb`. */
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
