// A search as it is typed, sent and answered. Hostile texts never change the statement.
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  isWrongType,
  readFilterValue,
  writeFilterValue,
} from "../../../src/knowledgeBases/parseFilterValue.ts";
import { formatChunks, readSearchDraft } from "../../../src/knowledgeBases/searchDraft.ts";
import { highlightWords } from "../../../src/knowledgeBases/highlight.ts";
import type { Client } from "../../../src/mindsdb/http/client.ts";
import { isAppError } from "../../../src/mindsdb/errors.ts";
import { countContent } from "../../../src/mindsdb/knowledgeBases.ts";
import {
  searchKnowledgeBase,
  searchStatement,
  type Filter,
  type Search,
} from "../../../src/mindsdb/searchKnowledgeBase.ts";
import { readMetadataValues } from "../../../src/mindsdb/metadataValues.ts";
import { startSampleServer } from "../../../src/sample/server/server.ts";
import { hostileTexts } from "../../hostileTexts.ts";
import { useTestClient } from "../../useTestClient.ts";
import { sendJson, useServer } from "../mindsdb/httpServer.ts";

const plain: Search = { question: "", limit: 10, filters: [] };

describe("A search statement", () => {
  it("contains names and numbers, never texts", () => {
    const { query, params } = searchStatement("mindsdb", "guide", {
      question: "a dog?",
      limit: 5,
      relevance: 0.55,
      filters: [
        { column: "Odd Name", operator: "=", value: "x" },
        { column: "year", operator: ">=", value: 2024 },
        { column: "title", operator: "contains", value: "e" },
      ],
    });
    assert.equal(
      query,
      "SELECT * FROM `mindsdb`.`guide` WHERE content = :question AND relevance >= :relevance AND " +
        "`Odd Name` = :filter_2 AND `year` >= :filter_3 AND `title` LIKE :filter_4 LIMIT 5",
    );
    assert.deepEqual(params, {
      question: "a dog?",
      relevance: 0.55,
      filter_2: "x",
      filter_3: 2024,
      filter_4: "%e%",
    });
  });

  it("turns on words and turns off reranking, only with a question", () => {
    const search = { ...plain, hybridAlpha: 0.3, skipsReranking: true };
    const { query, params } = searchStatement("p", "k", { ...search, question: "a" });
    assert.equal(
      query,
      "SELECT * FROM `p`.`k` WHERE content = :question AND reranking = false AND " +
        "hybrid_search = true AND hybrid_search_alpha = :alpha LIMIT 10",
    );
    assert.deepEqual(params, { question: "a", alpha: 0.3 });
    assert.equal(searchStatement("p", "k", search).query, "SELECT * FROM `p`.`k` LIMIT 10");
  });

  it("has no relevance without a question, and no WHERE without a condition", () => {
    const { query, params } = searchStatement("p", "k", { ...plain, relevance: 0.5 });
    assert.equal(query, "SELECT * FROM `p`.`k` LIMIT 10");
    assert.deepEqual(params, {});
  });

  it("does not depend on the question or the values", () => {
    const search = (text: string, question: string): Search => {
      return { ...plain, question, filters: [{ column: "c", operator: "=", value: text }] };
    };
    const alone = searchStatement("p", "k", search("x", "")).query;
    const asked = searchStatement("p", "k", search("x", "y")).query;
    const filteredHere = "SELECT * FROM `p`.`k` WHERE content = :question LIMIT 100";
    for (const text of hostileTexts) {
      assert.equal(searchStatement("p", "k", search(text, "")).query, alone);
      assert.ok(
        [asked, filteredHere].includes(searchStatement("p", "k", search(text, text)).query),
      );
    }
  });

  it("omits values that a server version would insert unescaped", () => {
    const filter = (column: string, value: string): Filter => ({ column, operator: "=", value });
    const filters = [filter("a", "it's"), filter("b", "fine"), filter("c'd", "x")];
    const { query, left } = searchStatement("p", "k", { ...plain, question: "q", filters });
    assert.deepEqual(left, [filters[0], filters[2]]);
    assert.match(query, /`b` = :\w+ LIMIT 100$/);
    assert.deepEqual(searchStatement("p", "k", { ...plain, filters }).left, []);
  });

  it("omits values that servers interpret differently", () => {
    const filter = (column: string, value: string | number): Filter => {
      return { column, operator: "=", value };
    };
    for (const odd of [filter("a.b", "x"), filter("a`b", "x"), filter("a", "true")]) {
      const { query, left } = searchStatement("p", "k", { ...plain, filters: [odd] });
      assert.deepEqual(left, [odd]);
      assert.equal(query, "SELECT * FROM `p`.`k` LIMIT 100");
    }
    const usual = [filter("a", "True"), filter("a", 1)];
    assert.deepEqual(searchStatement("p", "k", { ...plain, filters: usual }).left, []);
  });

  it("sends a looser condition for values with wildcards, and filters the result here", () => {
    for (const value of ["100%", "a_b"]) {
      const filters: Filter[] = [{ column: "c", operator: "contains", value }];
      const { query, params, left } = searchStatement("p", "k", { ...plain, filters });
      assert.equal(query, "SELECT * FROM `p`.`k` WHERE `c` LIKE :filter_0 LIMIT 100");
      assert.deepEqual(params, { filter_0: `%${value}%` });
      assert.deepEqual(left, filters);
    }
  });

  it("writes a name with a backtick in double quotes, and rejects a name that SQL cannot quote", () => {
    const { query } = searchStatement("p", "k` WHERE 1=1 --", plain);
    assert.equal(query, 'SELECT * FROM `p`."k` WHERE 1=1 --" LIMIT 10');
    for (const name of ['a`b"', "a`b\\"]) {
      assert.throws(() => searchStatement("p", name, plain), { kind: "sql" });
      assert.throws(() => searchStatement(name, "k", plain), { kind: "sql" });
    }
    for (const name of hostileTexts.filter((text) => !text.includes("`"))) {
      assert.ok(searchStatement(name, name, plain).query.includes(`\`${name}\`.\`${name}\``));
    }
  });
});

describe("Searching the sample server", () => {
  const sample = useTestClient(startSampleServer);
  let client: Client;
  before(() => void ({ client } = sample));
  const guide = { project: "mindsdb", name: "rental_guide" };

  it("returns chunks by relevance, with distance and metadata", async () => {
    const { chunks } = await searchKnowledgeBase(client, guide, { ...plain, question: "dogs" });
    const [best] = chunks;
    assert.equal(best?.id, "pets");
    assert.ok(best.relevance && best.distance);
    assert.ok(Math.abs(best.relevance - 1 / (1 + best.distance)) < 1e-9);
    assert.deepEqual(best.metadata, { title: "Pets", topic: "rules", year: 2025 });
    assert.equal(best.internal["_source"], "TextChunkingPreprocessor");
    const relevances = chunks.map(({ relevance = 0 }) => relevance);
    assert.deepEqual(
      relevances,
      [...relevances].sort((a, b) => b - a),
    );
  });

  it("applies limit, relevance and filters", async () => {
    const find = async (search: Partial<Search>) =>
      (await searchKnowledgeBase(client, guide, { ...plain, question: "dogs", ...search })).chunks;
    assert.equal((await find({ limit: 3 })).length, 3);
    const near = await find({ relevance: 0.55 });
    assert.ok(near.length > 0 && near.every(({ relevance = 0 }) => relevance >= 0.55));
    const rules = await find({ filters: [{ column: "topic", operator: "=", value: "rules" }] });
    assert.ok(rules.length > 0 && rules.every(({ metadata }) => metadata["topic"] === "rules"));
    const { chunks: all } = await searchKnowledgeBase(client, guide, { ...plain, limit: 100 });
    const { length } = all;
    const counted = await countContent(client, "mindsdb", "rental_guide");
    assert.deepEqual(counted, { chunks: length, documents: length });
    assert.equal(all[0]?.relevance, undefined);
  });

  for (const text of hostileTexts) {
    it(`is not affected by ${JSON.stringify(text)}`, async () => {
      const { chunks } = await searchKnowledgeBase(client, guide, { ...plain, question: text });
      assert.equal(chunks.length, 10);
      const filters: Filter[] = [{ column: "title", operator: "=", value: text }];
      for (const question of ["", "dogs"]) {
        const found = await searchKnowledgeBase(client, guide, { ...plain, question, filters });
        assert.deepEqual(found.chunks, []);
      }
      const missing = searchKnowledgeBase(client, { project: "mindsdb", name: text }, plain);
      await assert.rejects(missing, (error) => isAppError(error, "sql"));
    });
  }
});

describe("The values of a metadata column", () => {
  const answer = (values: unknown[]) => {
    return { type: "table", column_names: ["c"], data: values.map((value) => [value]) };
  };
  let reply: object;
  const used = useServer((_, response) => sendJson(response, 200, reply));
  const read = async (of: object) => {
    reply = of;
    const values = await readMetadataValues(used.client, { project: "p", name: "k" }, "it's");
    const { query } = JSON.parse(used.server.seen.at(-1)?.body ?? "") as { query: string };
    assert.equal(query, "SELECT DISTINCT `it's` FROM `p`.`k` LIMIT 10000");
    return values;
  };

  it("are distinct, sorted, without null, and have a type", async () => {
    assert.deepEqual(await read(answer([10, null, 9])), { values: [9, 10], type: "number" });
    assert.deepEqual(await read(answer(["b", "", "a"])), { values: ["a", "b"], type: "text" });
    assert.deepEqual(await read(answer([true, "a"])), { values: ["a", true], type: undefined });
    assert.deepEqual(await read(answer([null])), { values: [], type: undefined });
  });

  it("are limited in number and length", async () => {
    const many = Array.from({ length: 3_000 }, (_, n) => n);
    assert.equal((await read(answer(many))).values.length, 1_000);
    assert.deepEqual(await read(answer(["x".repeat(201), "y"])), { values: ["y"], type: "text" });
  });

  it("are empty if no chunk has the column, and an error if the request failed", async () => {
    const failed = (error_message: string) => read({ type: "error", error_message });
    assert.deepEqual((await failed("Binder Error: Referenced column")).values, []);
    await assert.rejects(failed("Out of memory"), { kind: "sql" });
  });
});

describe("A knowledge base that is busy with another request", () => {
  let failures: number;
  let problem: string;
  const used = useServer((_, response) => {
    const isBusy = failures-- > 0;
    const table = { type: "table", column_names: ["chunks"], data: [[7]] };
    sendJson(response, 200, isBusy ? { type: "error", error_message: problem } : table);
  });

  for (const message of [
    "Error in duckdb_faiss database: Index is already used: /srv/x",
    "Error in chromadb database: Error connecting to ChromaDB client, '/srv/x'!",
  ]) {
    it(`is asked again until it is free, for a limited time: ${message}`, async () => {
      [failures, problem] = [3, message];
      assert.deepEqual(await countContent(used.client, "p", "k"), { chunks: 7 });
      assert.equal(used.server.seen.length, 4);
      failures = 100;
      await assert.rejects(countContent(used.client, "p", "k"), { kind: "sql", message });
      assert.equal(used.server.seen.length, 4 + 6);
    });
  }
});

describe("Filters that are applied by the extension", () => {
  const table = (column_names: string[], data: unknown[][]) => ({
    type: "table",
    column_names,
    data,
  });
  const labels = ["it's", "its", "a'b", null, "it'S"];
  const all = table(
    ["id", "chunk_content", "relevance", "metadata"],
    labels.map((label, at) => [at, "text", 0.6, { label, n: at, _own: 1 }]),
  );
  let answer: (query: string) => object;
  const used = useServer(({ body }, response) =>
    sendJson(response, 200, answer((JSON.parse(body) as { query: string }).query)),
  );
  beforeEach(() => void (answer = () => all));

  const ids = async (operator: Filter["operator"], value: string): Promise<unknown[]> => {
    const filters: Filter[] = [{ column: "label", operator, value }];
    const search = { ...plain, question: "q", filters };
    const found = await searchKnowledgeBase(used.client, { project: "p", name: "k" }, search);
    assert.ok(found.isFilteredHere);
    return found.chunks.map(({ id }) => id);
  };

  it("are tried by the server first, and left to it if a column is missing", async () => {
    const seen: string[] = [];
    let problem = "Operator FilterOperator.LIKE is not supported by ChromaDB!";
    const chunks = table(
      ["id", "chunk_content", "metadata"],
      [
        [1, "a", { label: "Alpha", flag: true, n: 2.5 }],
        [2, "b", { label: "alpine", flag: false, n: 10 }],
      ],
    );
    answer = (query) => {
      seen.push(query);
      return query.includes("WHERE") ? { type: "error", error_message: problem } : chunks;
    };
    const find = (column: string, operator: Filter["operator"], value: string | number) =>
      searchKnowledgeBase(
        used.client,
        { project: "p", name: "k" },
        { ...plain, filters: [{ column, operator, value }] },
      );
    const found = async (...given: Parameters<typeof find>): Promise<unknown[]> => {
      const { chunks, isFilteredHere } = await find(...given);
      assert.ok(isFilteredHere);
      return chunks.map(({ id }) => id);
    };
    assert.deepEqual(await found("label", "contains", "Al"), [1]);
    assert.deepEqual(seen, [
      "SELECT * FROM `p`.`k` WHERE `label` LIKE :filter_0 LIMIT 10",
      "SELECT * FROM `p`.`k` LIMIT 100",
    ]);
    assert.deepEqual(await found("n", ">", 2.5), [2]);
    assert.deepEqual(await found("n", ">=", 10), [2]);
    assert.deepEqual(await found("n", "<", 10), [1]);
    assert.deepEqual(await found("flag", "=", "true"), [1]);
    problem = "Column is not found: nowhere";
    await assert.rejects(find("nowhere", "=", "x"), { message: problem });
  });

  it("compare like the server", async () => {
    assert.deepEqual(await ids("=", "it's"), [0]);
    assert.deepEqual(await ids("!=", "it's"), [1, 2, 4]);
    assert.deepEqual(await ids(">", "a'b"), [0, 1, 4]);
    assert.deepEqual(await ids("<=", "a'b"), [2]);
    assert.deepEqual(await ids("contains", "t'"), [0, 4]);
  });
});

describe("A typed search", () => {
  const draft = { question: "q", limit: "10", relevance: "", filters: [] };

  it("accepts valid numbers, and otherwise uses the defaults", () => {
    const limits = { "5": 5, "100": 100, "250": 100, "": 10, "0": 10, "-3": 10, x: 10, "2.9": 2 };
    for (const [limit, expected] of Object.entries(limits)) {
      assert.equal(readSearchDraft({ ...draft, limit }).limit, expected, limit);
    }
    const relevances = { "0.55": 0.55, "": undefined, "0": undefined, "7": 1, x: undefined };
    for (const [relevance, expected] of Object.entries(relevances)) {
      assert.equal(readSearchDraft({ ...draft, relevance }).relevance, expected, relevance);
    }
  });

  it("has only the switches that the server has", () => {
    const typed = { ...draft, isHybrid: true, alpha: "0.25", isReranked: false };
    const { hybridAlpha, skipsReranking } = readSearchDraft(typed, {
      hasHybrid: true,
      hasReranking: true,
    });
    assert.deepEqual([hybridAlpha, skipsReranking], [0.25, true]);
    const plainSearch = readSearchDraft(typed, { hasHybrid: false, hasReranking: false });
    assert.deepEqual(plainSearch, readSearchDraft(draft));
    const alphas = { "": 0.5, x: 0.5, "7": 1, "-1": 0 };
    for (const [alpha, expected] of Object.entries(alphas)) {
      const read = readSearchDraft({ ...typed, alpha }, { hasHybrid: true, hasReranking: false });
      assert.equal(read.hybridAlpha, expected, alpha);
    }
  });

  it("uses the question as typed, and blanks as no question", () => {
    assert.equal(readSearchDraft({ ...draft, question: " a dog?\n" }).question, " a dog?\n");
    assert.equal(readSearchDraft({ ...draft, question: " \n" }).question, "");
  });

  it("distinguishes numbers from texts", () => {
    const values = {
      "42": 42,
      " 42 ": 42,
      "-1.5": -1.5,
      "007": "007",
      "9007199254740993": "9007199254740993",
      "1e3": "1e3",
      '"42"': "42",
      '"': '"',
      " ": " ",
      Infinity: "Infinity",
    };
    for (const [typed, expected] of Object.entries(values)) {
      assert.deepEqual(readFilterValue(typed, undefined), expected, typed);
    }
  });

  it("reads a value by the type of its column", () => {
    assert.equal(readFilterValue("42", "text"), "42");
    assert.equal(readFilterValue('"42"', "text"), '"42"');
    for (const [typed, expected] of [
      ["007", 7],
      ["1e3", 1000],
      [" -.5 ", -0.5],
    ] as const) {
      assert.equal(readFilterValue(typed, "number"), expected, typed);
      assert.ok(!isWrongType(typed, "number"), typed);
    }
    for (const typed of ["abc", '"42"', "1,5", "0x10", "Infinity", "."]) {
      assert.ok(isWrongType(typed, "number"), typed);
      assert.ok(!isWrongType(typed, "text") && !isWrongType(typed, undefined), typed);
    }
    assert.ok(!isWrongType(" ", "number"));
  });

  it("formats a stored value so that it is read as the same value", () => {
    const types = ["number", "text", undefined] as const;
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.integer(), fc.integer().map(String), fc.constant('"x"')),
        fc.constantFrom(...types),
        (value, type) => {
          if (type !== undefined && (typeof value === "number") !== (type === "number")) return;
          assert.equal(readFilterValue(writeFilterValue(value, type), type), value);
        },
      ),
    );
  });

  it("drops filters without a value, and keeps the value of a contains filter as text", () => {
    const filters = [
      { column: "a", operator: "=", value: "" },
      { column: "b", operator: "contains", value: "42" },
    ] as const;
    assert.deepEqual(readSearchDraft({ ...draft, filters: [...filters] }).filters, [filters[1]]);
  });

  it("truncates chunks that are too long for a page", () => {
    const chunk = { id: 1, chunkId: "c", content: "x".repeat(30_000), metadata: {}, internal: {} };
    const found = formatChunks(chunk);
    assert.equal(found.content.length, 20_000);
    assert.equal(found.length, 30_000);
    assert.equal(formatChunks({ ...chunk, content: "x" }).length, undefined);
  });
});

describe("Highlighted words", () => {
  const marked = (text: string, question: string) =>
    highlightWords(text, question)
      .filter(({ isMatch }) => isMatch)
      .map(({ text: word }) => word);

  it("are the words of the question, ignoring case and plural", () => {
    assert.deepEqual(marked("One dog. Large DOGS, and dogma.", "May the Dogs bark?"), [
      "dog",
      "DOGS",
    ]);
    assert.deepEqual(marked("The glass and the class", "a glass"), ["glass"]);
    assert.deepEqual(marked("über Straße 12", "STRASSE Über 12"), ["über", "12"]);
  });

  it("are whole words in every script, however accents are encoded", () => {
    assert.deepEqual(marked("un cafe\u0301 noir", "Caf\u00e9?"), ["cafe\u0301"]);
    assert.deepEqual(marked("हिन्दी भाषा", "हिन्दी में"), ["हिन्दी"]);
    assert.deepEqual(marked("安静的街道。", "街道"), ["街道"]);
  });

  it("are never stop words", () => {
    assert.deepEqual(marked("The house and the garden", "What is the and of it?"), []);
  });

  it("leave the text unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), (text, question) => {
        const pieces = highlightWords(text, question);
        assert.equal(pieces.map((piece) => piece.text).join(""), text);
      }),
    );
  });
});
