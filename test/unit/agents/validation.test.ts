import assert from "node:assert/strict";
import fc from "fast-check";
import { emptyDraft, type AgentDraft, type ModelDraft } from "../../../src/agents/agentDraft.ts";
import {
  countConnected,
  validateDraft,
  type ServerSnapshot,
} from "../../../src/agents/validation.ts";
import { assertLinear } from "../../linearTime.ts";
import { itFinds, type ProblemCase } from "../problemCases.ts";
import { agentProblems, type Problem } from "../../../src/agents/agentProblems.ts";

const unknown: ServerSnapshot = {
  items: null,
  hasDefaultModel: null,
  tables: {},
  knowledgeBases: {},
};
const known: ServerSnapshot = {
  items: [
    { name: "rental_agent", type: "agent" },
    { name: "Shouting", type: "agent" },
    { name: "guide", type: "knowledge_base" },
    { name: "rents", type: "model" },
    { name: "cheap", type: "view" },
    { name: "models", type: "table" },
    { name: "nightly", type: "job" },
  ],
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
const canSend = (problems: Problem[]) => problems.every(({ isWarning = false }) => isWarning);

describe("Draft validation", () => {
  it("takes time in proportion to the patterns of an agent that match nothing", () => {
    assertLinear({
      name: "patterns",
      make: (size) => Array.from({ length: size }, (_, at) => `pg.t${at}*`),
      run: (tables) => {
        const counts = Object.fromEntries(tables.map((entry) => [entry, 0]));
        return validateDraft(draft({ tables }), { ...known, tables: counts });
      },
      size: 3_000,
    });
  });

  it("counts the entries of an agent with many patterns in linear time", () => {
    assertLinear({
      name: "entries in patterns",
      make: (size) => [
        ...Array.from({ length: 100 }, (_, at) => `pg.*a*b${at}`),
        ...Array.from({ length: size }, (_, at) => `pg.t${at}`),
      ],
      run: (entries) => countConnected(entries, {}),
      size: 300_000,
      floorMs: 1_000,
    });
    assert.equal(countConnected(["pg.a*", "pg.ab", "pg.*", "pg.c"], { "pg.a*": 1, "pg.*": 2 }), 2);
  });

  it("accepts a name with the server's default model", () => {
    assert.deepEqual(validateDraft(draft(), known), []);
  });

  const cases: ProblemCase<AgentDraft>[] = [
    [{ name: "" }, "name: Enter a name for the agent."],
    [{ name: "My Agent" }, "name: SQL can't find an agent by this name."],
    [{ name: "日本" }, "name: Use lowercase letters, digits, and underscores"],
    [{ name: "rental_agent" }, "name: This project has an agent named"],
    [{ name: "shouting" }, "name: This project has an agent named"],
    [{ name: "guide" }, "name: This project has a knowledge base named"],
    [{ name: "rents" }, "name: This project has a model named"],
    [{ name: "cheap" }, "name: This project has a view named"],
    // A table of the server's own.
    [{ name: "models" }, "name: The name models is already used in this project."],
    // Jobs have names of their own.
    [{ name: "nightly" }],
    [{ model: { ...own, modelName: " " } }, "modelName: Enter the model's name."],
    [{ model: { ...own, provider: "" } }, "provider: Enter the model's provider."],
    [{ model: { ...own, provider: "zzz" } }, "provider (warning): MindsDB is not known to support"],
    [{ model: { ...own, provider: "writer" } }, "provider (warning): MindsDB 26 does not support"],
    [{ model: { ...own, baseUrl: "host/v1" } }, "baseUrl: Enter a URL like"],
    [{ model: { ...own, baseUrl: "http://h:99999/v1" } }, "baseUrl: Enter a URL like"],
    [{ model: { ...own, baseUrl: "http://[::1" } }, "baseUrl: Enter a URL like"],
    [{ model: { ...own, baseUrl: "http://h:1" } }, "baseUrl (warning): Most servers of this kind"],
    [{ tables: ["homes"] }, "tables: Put the data source before homes"],
    [{ tables: ["files.gone"] }, "tables: files.gone is not on the server."],
    [{ tables: ["pg.*"] }, "tables: Nothing matches pg.* now."],
    [{ knowledgeBases: ["mindsdb.gone"] }, "knowledgeBases: mindsdb.gone is not on the server."],
    [{ tables: ["big.*"] }, "tables (warning): The agent would read"],
    [{ tables: tables(10) }],
    [{ tables: tables(11) }, "tables (warning): The agent would read"],
    [{ tables: ["files.*"], knowledgeBases: ["mindsdb.guide"] }],
  ];
  itFinds(cases, (changed) => validateDraft(draft(changed), known));

  it("warns of a key that the provider does not use", () => {
    const keyed = draft({ model: { ...own, provider: "ollama" } });
    const [problem, ...more] = validateDraft(keyed, known, { hasKey: true });
    assert.deepEqual([problem?.field, more], ["apiKey", []]);
    assert.match(problem?.text ?? "", /^MindsDB 26 does not pass this key on to ollama\./);
  });

  it("warns about an agent without data, but allows it", () => {
    const bare = draft({ tables: [] });
    const found = validateDraft(bare, known);
    assert.deepEqual(
      found.map(({ field, text }) => [field, text]),
      [["tables", agentProblems.noData()]],
    );
    assert.ok(canSend(found));
    const withBase = draft({ tables: [], knowledgeBases: ["mindsdb.guide"] });
    assert.deepEqual(validateDraft(withBase, known), []);
    // Removing the last table is a change to report; an agent that never had one is not.
    const hasKey = false;
    assert.deepEqual(validateDraft(bare, known, { hasKey, before: bare }), []);
    assert.equal(validateDraft(bare, known, { hasKey, before: draft() }).length, 1);
  });

  it("accepts an empty pattern next to one that matches, as the server does", () => {
    const alone = validateDraft(draft({ tables: ["pg.*"] }), known);
    const beside = validateDraft(draft({ tables: ["pg.*", "files.homes"] }), known);
    assert.ok(!canSend(alone));
    assert.ok(canSend(beside) && beside.length === 1);
  });

  it("requires a model if the server has no default", () => {
    const without = { ...known, hasDefaultModel: false };
    assert.deepEqual(
      validateDraft(draft(), without).map(({ text }) => text),
      [agentProblems.noDefaultModel()],
    );
    assert.deepEqual(validateDraft(draft({ model: own }), without), []);
  });

  it("lets an agent keep its name", () => {
    const before = draft({ name: "Old Name.1" });
    assert.deepEqual(validateDraft(before, known, { hasKey: false, before }), []);
  });

  it("does not require what the server infers, but requires what the user has removed", () => {
    const bare = { own: true, provider: "", modelName: "", baseUrl: "" };
    const before = draft({ model: bare });
    assert.deepEqual(validateDraft(before, known, { hasKey: false, before }), []);
    const taken = validateDraft(draft({ model: bare }), known, {
      hasKey: false,
      before: draft({ model: own }),
    });
    assert.deepEqual(
      taken.map(({ text }) => text),
      [agentProblems.providerMissing(), agentProblems.modelNameMissing()],
    );
  });

  it("reports no problem about data that is not loaded", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("files.a", "pg.*", "x.y.z"), { maxLength: 9 }),
        (tables) => {
          assert.deepEqual(validateDraft(draft({ tables: ["files.b", ...tables] }), unknown), []);
        },
      ),
    );
  });

  it("counts the tables that a list stands for, as far as they are known", () => {
    assert.equal(countConnected(["files.*", "pg.new", "other.*"], known.tables), 8);
    assert.equal(countConnected(["pg.*"], { "pg.*": null }), 0);
  });

  it("counts a table once if a pattern in the list matches it too", () => {
    const counts = { "files.*": 7, "files.h*": 3, "files.homes": 1, "pg.homes": 1 };
    assert.equal(countConnected(Object.keys(counts), counts), 8);
  });

  it("describes each problem in a sentence that says what to do", () => {
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
      assert.match(problem.text, /^\S[^!{]*\.$/);
    }
    assert.match(everything[0]!.text, /my_agent/);
  });
});
