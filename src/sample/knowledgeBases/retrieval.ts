// Searches a small set of documents with tf-idf vectors and cosine similarity.

/** A document of a knowledge base. */
export interface Document {
  id: string;
  content: string;
  metadata: Record<string, string | number>;
}

/** A search result. `distance` is 0 (same words) to 1 (no common words); `relevance` is 1/(1 + distance). */
interface Hit {
  document: Document;
  distance: number;
  relevance: number;
}

const stopwords = new Set(
  (
    "a about all also am an and any are as at be been but by can could did do does for from get give had has have " +
    "how i if in into is it its just like live me may might must my no not of off on one or our out per please shall she " +
    "should so some such tell than that the their them then there these they this those to up us was we were what " +
    "when where which while who whom why will with would you your"
  ).split(" "),
);

/** Returns the lower-case stems of a text's words, without stop words: "Dogs barked" gives dog, bark. */
export function terms(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !stopwords.has(word)).map(stem);
}

function stem(word: string): string {
  if (word.length < 4) return word;
  const cut = word
    .replace(/(ies)$/, "y")
    .replace(/(sses|ches|shes|xes)$/, (end) => end.slice(0, -2));
  const singular = /[^s]s$/.test(cut) ? cut.slice(0, -1) : cut;
  const bare = singular.replace(/(ing|ed)$/, "");
  if (bare.length < 3 || bare === singular) return singular.replace(/e$/, "");
  return bare.replace(/([^aeiouls])\1$/, "$1").replace(/e$/, "");
}

/** A search index over the documents of one knowledge base. */
export class Index {
  readonly documents: Document[];
  readonly #weights = new Map<string, number>();
  /** Computed with the first search, because a knowledge base is filled in many requests. */
  #vectors: Map<string, number>[] | undefined;

  constructor(documents: Document[]) {
    this.documents = documents;
  }

  #computeVectors(): Map<string, number>[] {
    const texts = this.documents.map(({ content, metadata }) =>
      terms(`${metadata["title"] ?? ""} ${content}`),
    );
    const counts = new Map<string, number>();
    for (const word of texts.flatMap((words) => [...new Set(words)])) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    for (const [word, count] of counts) {
      this.#weights.set(word, Math.log(1 + texts.length / count));
    }
    return texts.map((words) => this.#vector(words));
  }

  /** Returns all documents, the closest to the question first. */
  search(question: string): Hit[] {
    const vectors = (this.#vectors ??= this.#computeVectors());
    const asked = this.#vector(terms(question));
    return this.documents
      .map((document, i) => {
        const distance = 1 - cosine(asked, vectors[i] ?? asked);
        return { document, distance, relevance: 1 / (1 + distance) };
      })
      .sort((a, b) => a.distance - b.distance);
  }

  /** Returns the summed weights of the question's words that occur in a text. Rare words weigh more. */
  overlap(question: string, text: string): number {
    this.#vectors ??= this.#computeVectors();
    const present = new Set(terms(text));
    const shared = [...new Set(terms(question))].filter((word) => present.has(word));
    return shared.reduce((sum, word) => sum + (this.#weights.get(word) ?? 0), 0);
  }

  #vector(words: string[]): Map<string, number> {
    const vector = new Map<string, number>();
    for (const word of words) {
      const weight = this.#weights.get(word);
      if (weight !== undefined) vector.set(word, (vector.get(word) ?? 0) + weight);
    }
    const length = Math.hypot(...vector.values());
    for (const [word, weight] of vector) vector.set(word, weight / length);
    return vector;
  }
}

function cosine(a: Map<string, number>, b: Map<string, number>): number {
  let sum = 0;
  for (const [word, weight] of a) sum += weight * (b.get(word) ?? 0);
  return Math.min(1, sum);
}
