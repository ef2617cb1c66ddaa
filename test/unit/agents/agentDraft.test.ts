import assert from "node:assert/strict";
import fc from "fast-check";
import {
  buildUpdateFields,
  buildCreateFields,
  createDraft,
  emptyDraft,
  findFreeName,
  hasStoredKey,
  isUnchanged,
  type AgentDraft,
} from "../../../src/agents/agentDraft.ts";
import { assertLinear } from "../../linearTime.ts";
import { toPlainName } from "../../../src/mindsdb/sql/plainName.ts";
import type { AgentFields } from "../../../src/mindsdb/agentFields.ts";

const key = "made-up-key-0001";
const stored = {
  provider: "openai",
  model_name: "gpt-4o",
  api_key: key,
  base_url: "http://127.0.0.1:9/v1",
  organization: "org",
};
const agent = {
  name: "rental_agent",
  model: stored,
  tables: ["files.home_rentals"],
  knowledgeBases: ["mindsdb.rental_guide"],
  promptTemplate: "You help.",
};
const before = createDraft(agent, "mindsdb");
const edited = (change: Partial<AgentDraft>): AgentDraft => ({ ...before, ...change });

/** Generates drafts whose names are valid. */
const plainObjects = { noNullPrototype: true };
const drafts: fc.Arbitrary<AgentDraft> = fc.record(
  {
    project: fc.constant("mindsdb"),
    name: fc.stringMatching(/^[a-z_][a-z0-9_]{0,8}$/),
    model: fc.record(
      {
        own: fc.boolean(),
        provider: fc.constantFrom("openai", "anthropic", "ollama"),
        modelName: fc.stringMatching(/^[a-z0-9-]{1,6}$/),
        baseUrl: fc.constantFrom("", "http://127.0.0.1:9/v1", "https://h/x"),
      },
      plainObjects,
    ),
    tables: fc.uniqueArray(fc.constantFrom("files.*", "files.a", "pg.public.b")),
    knowledgeBases: fc.uniqueArray(fc.constantFrom("mindsdb.*", "mindsdb.kb")),
    instruction: fc.constantFrom("", "You help.", "Answer in `SQL`, {{question}}"),
  },
  plainObjects,
);

/** Applies an update as MindsDB 26.1.0 does: ignores falsy fields, removes null `params`, loses a name alone. */
function serverAfter(was: AgentFields, change: AgentFields): AgentFields {
  const { name, params, ...fields } = change;
  const next: AgentFields = { ...was };
  const truthy = Object.entries(fields).filter(([, value]) => !!value);
  Object.assign(next, Object.fromEntries(truthy));
  for (const field of Object.keys(params ?? {}) as ("model" | "prompt_template")[]) {
    delete next[field];
  }
  if (name !== undefined && truthy.length + Object.keys(params ?? {}).length > 0) next.name = name;
  return next;
}

/** The agent as the server lists it: empty and absent lists are the same. */
function draftFrom({ name = "", model, data, prompt_template }: AgentFields): AgentDraft {
  return createDraft(
    {
      name,
      ...(model ? { model } : {}),
      tables: data?.tables ?? [],
      knowledgeBases: data?.knowledge_bases ?? [],
      ...(prompt_template === undefined ? {} : { promptTemplate: prompt_template }),
    },
    "mindsdb",
  );
}

/** Normalizes a draft, so that drafts of the same agent are deeply equal. */
function essence({ model, tables, knowledgeBases, ...rest }: AgentDraft): unknown {
  const lists = { tables: [...tables].sort(), knowledgeBases: [...knowledgeBases].sort() };
  return { ...rest, ...lists, model: model.own ? model : "default" };
}

describe("An agent draft", () => {
  it("sends only what the user has chosen", () => {
    assert.deepEqual(buildCreateFields({ ...emptyDraft("mindsdb"), name: "a" }, ""), { name: "a" });
    const own = { own: true, provider: "openai", modelName: " gpt-4o ", baseUrl: "" };
    assert.deepEqual(buildCreateFields(edited({ model: own, instruction: " x \n" }), key), {
      name: "rental_agent",
      model: { provider: "openai", model_name: "gpt-4o", api_key: key },
      data: { tables: ["files.home_rentals"], knowledge_bases: ["mindsdb.rental_guide"] },
      prompt_template: "x",
    });
  });

  it("sends everything that the original of a duplicate has, including the key", () => {
    assert.deepEqual(buildCreateFields(edited({ name: "copy" }), "", stored).model, stored);
  });

  it("reads agents that use the default model and agents in the older format", () => {
    const bare = { name: "a", tables: [], knowledgeBases: [] };
    assert.equal(createDraft(bare, "mindsdb").model.own, false);
    const older = { ...agent, model: { provider: "openai", openai_api_base: "http://h/v1" } };
    assert.equal(createDraft(older, "mindsdb").model.baseUrl, "http://h/v1");
  });

  describe("makes an update that", () => {
    it("is empty if nothing differs, whatever the order of the lists", () => {
      const lists = { tables: ["files.a", "files.b"] };
      const reversed = { tables: ["files.b", "files.a"] };
      assert.ok(isUnchanged(buildUpdateFields(edited(lists), edited(reversed), "", stored)));
    });

    it("contains only the instruction if only that differs", () => {
      const change = buildUpdateFields(before, edited({ instruction: "New." }), "", stored);
      assert.deepEqual(change, { prompt_template: "New." });
    });

    it("contains both lists if one differs, because the server replaces them together", () => {
      const change = buildUpdateFields(before, edited({ tables: [] }), "", stored);
      assert.deepEqual(change, {
        data: { tables: [], knowledge_bases: ["mindsdb.rental_guide"] },
      });
    });

    it("keeps the model parameters that the form does not show, including the key", () => {
      const model = { ...before.model, modelName: "gpt-5" };
      const change = buildUpdateFields(before, edited({ model }), "", stored);
      assert.deepEqual(change, { model: { ...stored, model_name: "gpt-5" } });
    });

    it("names no provider if the server infers it, and keeps the key", () => {
      const guessed = { model_name: "gpt-4o", api_key: key };
      const was = createDraft({ ...agent, model: guessed }, "mindsdb");
      const model = { ...was.model, modelName: "gpt-5" };
      const change = buildUpdateFields(was, { ...was, model }, "", guessed);
      assert.deepEqual(change, { model: { model_name: "gpt-5", api_key: key } });
    });

    it("replaces every old key by the new one", () => {
      const older = { ...stored, openai_api_key: "made-up-key-0002" };
      const change = buildUpdateFields(before, before, "made-up-key-0003", older);
      assert.deepEqual(change, { model: { ...stored, api_key: "made-up-key-0003" } });
    });

    it("does not send a key to another provider, nor a mask as a key", () => {
      const model = { ...before.model, provider: "anthropic" };
      const other = buildUpdateFields(before, edited({ model }), "", stored).model;
      assert.ok(!JSON.stringify(other).includes(key));
      const masked = { ...stored, api_key: "******" };
      const renamed = { ...before.model, modelName: "x" };
      const change = buildUpdateFields(before, edited({ model: renamed }), "", masked).model ?? {};
      assert.ok(!("api_key" in change));
      assert.ok(hasStoredKey(stored) && !hasStoredKey(masked) && !hasStoredKey({}));
    });

    it("never sends a new name alone", () => {
      const named = buildUpdateFields(before, edited({ name: "other" }), "", stored);
      assert.deepEqual(named, { name: "other", prompt_template: "You help." });
      const bare = { ...before, instruction: "" };
      assert.deepEqual(buildUpdateFields(bare, { ...bare, name: "other" }, "", stored), {
        name: "other",
        params: { prompt_template: null },
      });
    });

    it("turns any agent into any other, as a real server applies it", () => {
      fc.assert(
        fc.property(drafts, drafts, (from, to) => {
          const was = buildCreateFields(from, key);
          const change = buildUpdateFields(draftFrom(was), to, "", was.model);
          const now = draftFrom(serverAfter(was, change));
          assert.deepEqual(essence(now), essence(to));
          assert.equal(
            isUnchanged(change),
            JSON.stringify(essence(draftFrom(was))) === JSON.stringify(essence(to)),
          );
        }),
      );
    });
  });

  it("copies what the form does not show into a duplicate, unchanged", () => {
    const params = { mode: "sql" };
    const whole = createDraft({ ...agent, params }, "mindsdb");
    assert.deepEqual(buildCreateFields({ ...whole, name: "copy" }, "").params, params);
    assert.deepEqual(buildUpdateFields(whole, { ...whole, tables: [] }, "", stored), {
      data: { tables: [], knowledge_bases: agent.knowledgeBases },
    });
  });

  describe("gets names that", () => {
    it("are converted to plain identifiers", () => {
      assert.equal(toPlainName("My Agent-2.x", "agent"), "my_agent_2_x");
      assert.equal(toPlainName("2 fast", "agent"), "2_fast");
      assert.equal(toPlainName("12", "agent"), "");
      assert.equal(toPlainName("Ünïcode", "agent"), "unicode");
      assert.equal(toPlainName(" pasted\n", "agent"), "pasted");
    });

    it("are never reserved words of SQL", () => {
      assert.equal(toPlainName("Explain", "agent"), "explain_agent");
      assert.equal(toPlainName("explainer", "agent"), "explainer");
    });

    it("are not changed if they are plain, and SQL always finds them", () => {
      fc.assert(
        fc.property(fc.string(), (text) => {
          const plain = toPlainName(text, "agent");
          assert.match(plain, /^((?!\d+$)[a-z0-9_]+)?$/);
          assert.equal(toPlainName(plain, "agent"), plain);
        }),
      );
    });

    it("get the next free number if they are taken", () => {
      assert.equal(findFreeName("a", []), "a");
      assert.equal(findFreeName("a", ["A", "a_2", "b"]), "a_3");
    });

    it("are found in linear time, whatever a server has taken", () => {
      assertLinear({
        name: "free name",
        make: (size) => ["a", ...Array.from({ length: size }, (_, at) => `A_${at + 2}`)],
        run: (taken) => findFreeName("a", taken),
        size: 4_000,
      });
    });
  });
});
