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
  toPlainName,
  type AgentDraft,
} from "../../../src/agents/agentDraft.ts";
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

/** Any draft, its name one that may be sent. */
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

/** What 26.1.0 makes of an update: falsy fields are ignored, null in `params` clears, a name alone is lost. */
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

/** As the server lists it: lists that are empty and those that are absent are the same. */
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

/** Drafts that make the same agent look the same. */
function essence({ model, tables, knowledgeBases, ...rest }: AgentDraft): unknown {
  const lists = { tables: [...tables].sort(), knowledgeBases: [...knowledgeBases].sort() };
  return { ...rest, ...lists, model: model.own ? model : "default" };
}

describe("agent drafts", () => {
  it("makes a request with nothing in it that was not chosen", () => {
    assert.deepEqual(buildCreateFields({ ...emptyDraft("mindsdb"), name: "a" }, ""), { name: "a" });
    const own = { own: true, provider: "openai", modelName: " gpt-4o ", baseUrl: "" };
    assert.deepEqual(buildCreateFields(edited({ model: own, instruction: " x \n" }), key), {
      name: "rental_agent",
      model: { provider: "openai", model_name: "gpt-4o", api_key: key },
      data: { tables: ["files.home_rentals"], knowledge_bases: ["mindsdb.rental_guide"] },
      prompt_template: "x",
    });
  });

  it("sends what a duplicate's original holds, the key among it", () => {
    assert.deepEqual(buildCreateFields(edited({ name: "copy" }), "", stored).model, stored);
  });

  it("reads an agent that uses the server's default, and one in the older form", () => {
    const bare = { name: "a", tables: [], knowledgeBases: [] };
    assert.equal(createDraft(bare, "mindsdb").model.own, false);
    const older = { ...agent, model: { provider: "openai", openai_api_base: "http://h/v1" } };
    assert.equal(createDraft(older, "mindsdb").model.baseUrl, "http://h/v1");
  });

  describe("a change", () => {
    it("is empty where nothing differs, whatever the order of the lists", () => {
      const lists = { tables: ["files.a", "files.b"] };
      const turned = { tables: ["files.b", "files.a"] };
      assert.ok(isUnchanged(buildUpdateFields(edited(lists), edited(turned), "", stored)));
    });

    it("holds the instruction alone where only that differs", () => {
      const change = buildUpdateFields(before, edited({ instruction: "New." }), "", stored);
      assert.deepEqual(change, { prompt_template: "New." });
    });

    it("holds both lists where one differs: the server replaces them together", () => {
      const change = buildUpdateFields(before, edited({ tables: [] }), "", stored);
      assert.deepEqual(change, {
        data: { tables: [], knowledge_bases: ["mindsdb.rental_guide"] },
      });
    });

    it("keeps what the form does not show of a model, the key among it", () => {
      const model = { ...before.model, modelName: "gpt-5" };
      const change = buildUpdateFields(before, edited({ model }), "", stored);
      assert.deepEqual(change, { model: { ...stored, model_name: "gpt-5" } });
    });

    it("names no provider where the server guesses it, and keeps the key", () => {
      const guessed = { model_name: "gpt-4o", api_key: key };
      const was = createDraft({ ...agent, model: guessed }, "mindsdb");
      const model = { ...was.model, modelName: "gpt-5" };
      const change = buildUpdateFields(was, { ...was, model }, "", guessed);
      assert.deepEqual(change, { model: { model_name: "gpt-5", api_key: key } });
    });

    it("sends a new key in the place of every old one", () => {
      const older = { ...stored, openai_api_key: "made-up-key-0002" };
      const change = buildUpdateFields(before, before, "made-up-key-0003", older);
      assert.deepEqual(change, { model: { ...stored, api_key: "made-up-key-0003" } });
    });

    it("takes no key to another provider, and sends no mask as a key", () => {
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

    it("turns any agent into any other on a real server", () => {
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

  it("carry into a copy what the form does not show, and change nothing of it", () => {
    const params = { mode: "sql" };
    const whole = createDraft({ ...agent, params }, "mindsdb");
    assert.deepEqual(buildCreateFields({ ...whole, name: "copy" }, "").params, params);
    assert.deepEqual(buildUpdateFields(whole, { ...whole, tables: [] }, "", stored), {
      data: { tables: [], knowledge_bases: agent.knowledgeBases },
    });
  });

  describe("names", () => {
    it("are made plain", () => {
      assert.equal(toPlainName("My Agent-2.x"), "my_agent_2_x");
      assert.equal(toPlainName("2 fast"), "_fast");
      assert.equal(toPlainName("Ünïcode"), "unicode");
      assert.equal(toPlainName(" pasted\n"), "pasted");
    });

    it("are no words of SQL's own", () => {
      assert.equal(toPlainName("Explain"), "explain_agent");
      assert.equal(toPlainName("explainer"), "explainer");
    });

    it("stay as they are once they are plain, and are always found by SQL", () => {
      fc.assert(
        fc.property(fc.string(), (text) => {
          const plain = toPlainName(text);
          assert.match(plain, /^([a-z_][a-z0-9_]*)?$/);
          assert.equal(toPlainName(plain), plain);
        }),
      );
    });

    it("are counted on until one is free", () => {
      assert.equal(findFreeName("a", []), "a");
      assert.equal(findFreeName("a", ["A", "a_2", "b"]), "a_3");
    });
  });
});
