// What the scripted language model does with a question. A tag in the question says which scene is played:
//   [text]  answers at once                        [kb]       searches the notes, then answers
//   [sql]   queries the table, then answers        [recover]  gets a column wrong, corrects itself, gives a table
//   [key]   queries the table, then tells its key
//   [all]   lets the result of a query without a LIMIT be the answer
//   [late]  does the same with a table that came after the first agents
//   [table] lets the result of a query be the answer    [chunks] searches for all that is known of the notes
// and [TROUBLE WHEN] plays [sql] with something going wrong: TROUBLE is 401, 429 or 500 (the model's HTTP status),
// unreachable, broken (its reply ends half-way) or held (no reply until it is released); WHEN is early (at its first
// call) or late (after the first query).

/** A made-up key; nobody may ever see it. It does not look like one, so it can only be hidden by who knows it. */
export const MODEL_API_KEY = "open-sesame-0123456789";

/** Made-up reasons that the failing model gives, by HTTP status. Like a real one it repeats a key it refuses. */
export const FAILURES = {
  401: `Incorrect API key provided: ${MODEL_API_KEY}.`,
  429: "Rate limit reached for the scripted model.",
  500: "The scripted model has failed.",
} as const;

/** The answer of [text]. */
export const TEXT_ANSWER =
  "Hello! I can answer questions about **rented homes** and about the notes on listings.";

export type Trouble = keyof typeof FAILURES | "unreachable" | "broken" | "held";

/** A query the model asks the server to run. */
export interface Lookup {
  over: "table" | "notes";
  sql: string;
  why: string;
}

export interface Scene {
  lookups: readonly Lookup[];
  /** The answer in words, given the text of the last result; without it the last result is the answer. */
  answer?: (result: string) => string;
  /** What goes wrong: at the first call, or at the first with a result. */
  trouble?: { kind: Trouble; when: "early" | "late" };
}

const averageRent: Lookup = {
  over: "table",
  sql:
    "SELECT location, AVG(rental_price) AS average_rent FROM files.home_rentals " +
    "GROUP BY location ORDER BY average_rent DESC",
  why: "Average rent by location",
};
const dearestHomes: Lookup = {
  over: "table",
  sql: "SELECT sqft, location, rental_price FROM files.home_rentals ORDER BY rental_price DESC LIMIT 5",
  why: "The five most expensive homes",
};
const allHomes: Lookup = {
  over: "table",
  sql: "SELECT sqft, rental_price FROM files.home_rentals",
  why: "All homes",
};
const lateTable: Lookup = {
  over: "table",
  sql: "SELECT a, b FROM files.late",
  why: "The late table",
};
const washingMachines: Lookup = {
  over: "notes",
  sql: "SELECT id, chunk_content FROM listing_notes WHERE content = 'washing machine in the unit' LIMIT 3",
  why: "Search the notes for washing machines",
};
const wholeChunks: Lookup = {
  over: "notes",
  sql: "SELECT * FROM listing_notes WHERE content = 'washing machine in the unit' LIMIT 3",
  why: "Search the notes, with all that is known of them",
};
const wrongColumn: Lookup = {
  over: "table",
  sql: "SELECT price_per_month FROM files.home_rentals LIMIT 5",
  why: "Guess at a column",
};

const bestLocation = (result: string) =>
  `Homes in a **${/great|good|poor/.exec(result)?.[0]}** location have the highest average rent.`;
const mentionedListings = (result: string) => {
  const ids = new Set(Array.from(result.matchAll(/Listing (\d+)/g), (match) => Number(match[1])));
  return `These listings mention a washing machine: ${[...ids].sort((a, b) => a - b).join(", ")}.`;
};

const SCENES = {
  key: { lookups: [averageRent], answer: () => `My key is ${MODEL_API_KEY}, you see.` },
  text: { lookups: [], answer: () => TEXT_ANSWER },
  sql: { lookups: [averageRent], answer: bestLocation },
  all: { lookups: [allHomes] },
  late: { lookups: [lateTable] },
  table: { lookups: [dearestHomes] },
  kb: { lookups: [washingMachines], answer: mentionedListings },
  chunks: { lookups: [wholeChunks], answer: mentionedListings },
  recover: { lookups: [wrongColumn, dearestHomes] },
} satisfies Record<string, Scene>;
const TAG =
  /\[(?:(text|sql|all|late|table|kb|chunks|recover|key)|(401|429|500|unreachable|broken|held) (early|late))\]/;

/** The scene that the first tag in a text asks for; without a tag, [text]. */
export function sceneOf(text: string): Scene {
  const [, name = "text", kind, when] = TAG.exec(text) ?? [];
  if (!kind) return SCENES[name as keyof typeof SCENES];
  const trouble = { kind: (Number(kind) || kind) as Trouble, when: when as "early" | "late" };
  return { ...SCENES.sql, trouble };
}
