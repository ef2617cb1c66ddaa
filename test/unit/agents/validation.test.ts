import assert from "node:assert/strict";
import fc from "fast-check";
import { emptyDraft, type AgentDraft, type ModelDraft } from "../../../src/agents/agentDraft.ts";
import {
  canSend,
  countConnected,
  validateDraft,
  type ServerSnapshot,
} from "../../../src/agents/validation.ts";
import { formatProblem } from "./testTexts.ts";

const unknown: ServerSnapshot = {
  agents: null,
  hasDefaultModel: null,
  tables: {},
  knowledgeBases: {},
};
const known: ServerSnapshot = {
  agents: ["rental_agent", "Shouting"],
  hasDefaultModel: true,
  tables: { "files.homes": 1, "files.*": 7, "files.gone": 0, "pg.*": 0, "big.*": 12 },
  knowledgeBases: { "mindsdb.guide": 1, "mindsdb.*": 2, "mindsdb.gone": 0 },
};
const own: ModelDraft = { own: true, provider: "openai", modelName: "gpt-4o", baseUrl: "" };
const draft = (change: Partial<AgentDraft> = {}): AgentDraft => ({
  ...emptyDraft("mindsdb"),
  name: "helper",
  tables: ["files.homes"],
  ...change,
});
const tables = (count: number) => Array.from({ length: count }, (_, n) => `files.t${String(n)}`);
const kinds = (change: Partial<AgentDraft>, hasKey = false): string[] =>
  validateDraft(draft(change), known, { hasKey }).map(({ field, kind }) => `${field}: ${kind}`);

describe("problems of a draft", () => {
  it("has none with a name and the server's default", () => {
    assert.deepEqual(validateDraft(draft(), known), []);
  });

  for (const [what, change, expected, hasKey] of [
    ["no name", { name: "" }, ["name: nameMissing"]],
    ["upper case", { name: "My Agent" }, ["name: nameNotPlain"]],
    ["nothing that SQL can write", { name: "日本" }, ["name: nameNotSayable"]],
    ["a name that is taken", { name: "rental_agent" }, ["name: nameTaken"]],
    ["a name that is taken in another case", { name: "shouting" }, ["name: nameTaken"]],
    ["no model's name", { model: { ...own, modelName: " " } }, ["modelName: modelNameMissing"]],
    ["no provider", { model: { ...own, provider: "" } }, ["provider: providerMissing"]],
    ["a strange provider", { model: { ...own, provider: "zzz" } }, ["provider: providerUnknown"]],
    ["one of old", { model: { ...own, provider: "writer" } }, ["provider: providerUnusable"]],
    ["no address", { model: { ...own, baseUrl: "host/v1" } }, ["baseUrl: baseUrlInvalid"]],
    ["no port", { model: { ...own, baseUrl: "http://h:99999/v1" } }, ["baseUrl: baseUrlInvalid"]],
    ["half an address", { model: { ...own, baseUrl: "http://[::1" } }, ["baseUrl: baseUrlInvalid"]],
    ["no path", { model: { ...own, baseUrl: "http://h:1" } }, ["baseUrl: baseUrlWithoutPath"]],
    ["a lost key", { model: { ...own, provider: "ollama" } }, ["apiKey: keyNotUsed"], true],
    ["a bare table", { tables: ["homes"] }, ["tables: entryWithoutOwner"]],
    ["a table that is gone", { tables: ["files.gone"] }, ["tables: entryNotFound"]],
    ["an empty pattern", { tables: ["pg.*"] }, ["tables: patternEmpty"]],
    [
      "a base that is gone",
      { knowledgeBases: ["mindsdb.gone"] },
      ["knowledgeBases: entryNotFound"],
    ],
    ["a crowd", { tables: ["big.*"] }, ["tables: manyConnected"]],
    ["ten", { tables: tables(10) }, []],
    ["eleven", { tables: tables(11) }, ["tables: manyConnected"]],
    ["eight", { tables: ["files.*"], knowledgeBases: ["mindsdb.guide"] }, []],
  ] as [string, Partial<AgentDraft>, string[], boolean?][]) {
    it(`finds ${what}`, () => {
      assert.deepEqual(kinds(change, hasKey), expected);
    });
  }

  it("warns of an agent without data, which can be made all the same", () => {
    const bare = draft({ tables: [] });
    const found = validateDraft(bare, known);
    assert.deepEqual(
      found.map(({ field, kind }) => [field, kind]),
      [["tables", "noData"]],
    );
    assert.ok(canSend(found));
    const withBase = draft({ tables: [], knowledgeBases: ["mindsdb.guide"] });
    assert.deepEqual(validateDraft(withBase, known), []);
    // Taking the last table away is news; never having had one is not.
    const hasKey = false;
    assert.deepEqual(validateDraft(bare, known, { hasKey, before: bare }), []);
    assert.equal(validateDraft(bare, known, { hasKey, before: draft() }).length, 1);
  });

  it("lets a pattern be empty beside something that matches, as the server does", () => {
    const alone = validateDraft(draft({ tables: ["pg.*"] }), known);
    const beside = validateDraft(draft({ tables: ["pg.*", "files.homes"] }), known);
    assert.ok(!canSend(alone));
    assert.ok(canSend(beside) && beside.length === 1);
  });

  it("asks for a model where the server has no default", () => {
    const without = { ...known, hasDefaultModel: false };
    assert.deepEqual(
      validateDraft(draft(), without).map(({ kind }) => kind),
      ["noDefaultModel"],
    );
    assert.deepEqual(validateDraft(draft({ model: own }), without), []);
  });

  it("lets an agent keep the name that it has", () => {
    const before = draft({ name: "Old Name.1" });
    assert.deepEqual(validateDraft(before, known, { hasKey: false, before }), []);
  });

  it("lets an agent be without what its server guesses, and asks for what was taken away", () => {
    const bare = { own: true, provider: "", modelName: "", baseUrl: "" };
    const before = draft({ model: bare });
    assert.deepEqual(validateDraft(before, known, { hasKey: false, before }), []);
    const taken = validateDraft(draft({ model: bare }), known, {
      hasKey: false,
      before: draft({ model: own }),
    });
    assert.deepEqual(
      taken.map(({ kind }) => kind),
      ["providerMissing", "modelNameMissing"],
    );
  });

  it("finds nothing in what it does not know", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("files.a", "pg.*", "x.y.z"), { maxLength: 9 }),
        (tables) => {
          assert.deepEqual(validateDraft(draft({ tables: ["files.b", ...tables] }), unknown), []);
        },
      ),
    );
  });

  it("counts what a list stands for, as far as it is known", () => {
    assert.equal(countConnected(["files.*", "pg.new", "other.*"], known.tables), 8);
    assert.equal(countConnected(["pg.*"], { "pg.*": null }), 0);
  });

  it("counts once what a pattern of the list holds already", () => {
    const counts = { "files.*": 7, "files.h*": 3, "files.homes": 1, "pg.homes": 1 };
    assert.equal(countConnected(Object.keys(counts), counts), 8);
  });

  it("says each in a sentence, with what to do", () => {
    const everything = validateDraft(
      draft({
        name: "My Agent",
        model: { own: true, provider: "ollama", modelName: "", baseUrl: "x" },
        tables: ["homes", "files.gone", "pg.*", "big.*"],
      }),
      known,
      { hasKey: true },
    );
    assert.ok(everything.length > 6);
    for (const problem of [...everything, ...validateDraft(draft({ tables: [] }), known)]) {
      assert.match(formatProblem(problem), /^\S[^!{]*\.$/, problem.kind);
    }
    assert.match(formatProblem(everything[0]!), /my_agent/);
  });
});
