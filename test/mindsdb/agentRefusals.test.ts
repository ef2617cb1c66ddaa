// Provokes every error that real servers return when an agent is created or edited. Each must be shown as a message at
// the right field, without a key.
import assert from "node:assert/strict";
import { FormData } from "undici";
import type { AgentDraft } from "../../src/agents/agentDraft.ts";
import type { SaveRequest } from "../../src/agents/host/saveAgent.ts";
import { agentProblems, type Problem } from "../../src/agents/agentProblems.ts";
import { createSnapshot, validateDraft } from "../../src/agents/validation.ts";
import { parsePipeTable } from "../../src/chat/tables/pipeTable.ts";
import { deleteAgent, listAgents } from "../../src/mindsdb/agents.ts";
import { isAppError } from "../../src/mindsdb/errors.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { Admin } from "./admin.ts";
import { AgentOrders, assertMade, FailingModels, KEY, project } from "./agentOrders.ts";
import { Conversation } from "./conversation.ts";
import { fixture, versions } from "./fixture.ts";
import { MODEL_API_KEY } from "./script.ts";
import { SEEDED } from "./seed.ts";

const isNotFound = (error: unknown) => isAppError(error, "notFound");

/** What is asked for, and what the user is told of it. */
type Case = [
  what: string,
  given: () => Partial<AgentDraft>,
  field: Problem["field"],
  says: RegExp,
  apiKey?: string,
];

for (const version of versions) {
  describe(`MindsDB ${version}, rejecting agents`, () => {
    const models = new FailingModels();
    let orders: AgentOrders;
    let admin: Admin;
    const isNew = version === "26.1.0";

    before(async () => {
      await models.start();
      orders = await AgentOrders.connect(version);
      admin = await Admin.signIn(fixture(version).server);
      await orders.make(orders.draft("refusal_a"));
      await orders.make(orders.draft("refusal_b"));
    });
    after(async () => {
      await orders.close();
      models.stop();
    });

    const own = (change: Partial<AgentDraft["model"]>) => ({ model: orders.own(change) });
    const at = (how: Parameters<FailingModels["with"]>[0]) => own({ baseUrl: models.with(how) });
    const refused = async (
      order: SaveRequest,
      { field, says }: { field: Problem["field"]; says: RegExp },
    ): Promise<void> => {
      const failure = await orders.refused(order);
      assert.match(failure.text, says);
      assert.equal(failure.field, field);
    };
    /** What a form of the agent `x` sends after the agent has gone. */
    const goneAgent = (edit: Partial<AgentDraft>, modelOf: boolean): SaveRequest => {
      const before = orders.draft("gone");
      const from = { project, name: "gone", hasKey: true };
      return {
        draft: { ...before, ...edit },
        apiKey: "",
        before,
        ...(modelOf ? { modelOf: from } : {}),
      };
    };

    describe("in every version", () => {
      it("a name that already exists", () =>
        refused(
          { draft: orders.draft(SEEDED.agent), apiKey: KEY },
          {
            field: "name",
            says: /^This project has an agent named rental_agent\. Choose another name\.$/,
          },
        ));

      it("the name of something else, which the server would give twice", async () => {
        const path = `/api/projects/${project}/views`;
        await admin.post(path, { view: { name: "cheap_homes", query: "SELECT 1 AS a" } });
        for (const [name, kind] of [
          [SEEDED.knowledgeBase, "knowledge base"],
          [SEEDED.model, "model"],
          ["cheap_homes", "view"],
        ]) {
          const says = new RegExp(`has a ${kind} named ${name}\\.`);
          await refused({ draft: orders.draft(name!), apiKey: KEY }, { field: "name", says });
          const rename = await orders.edit("refusal_a", { name: name! });
          await refused(rename, { field: "name", says });
        }
        await admin.delete(`${path}/cheap_homes`);
      });

      it("a new name that already exists", async () =>
        refused(await orders.edit("refusal_a", { name: "refusal_b" }), {
          field: "name",
          says: /an agent named refusal_b\./,
        }));

      it("a missing project", () =>
        refused(
          { draft: orders.draft("x", { project: "nope" }), apiKey: KEY },
          { field: "project", says: /^The project nope is not on the server\. Select another one/ },
        ));

      it("a change in a deleted project", async () => {
        const before = { ...orders.draft("x"), project: "nope" };
        for (const modelOf of [undefined, { project: "nope", name: "x", hasKey: true }]) {
          const order = { draft: { ...before, instruction: "New." }, apiKey: "", before, modelOf };
          await refused(order, {
            field: "form",
            says: /^The project nope is no longer on the server/,
          });
        }
      });

      for (const [what, edit] of [
        ["a change", { instruction: "New." }],
        ["a new name", { name: "another" }],
      ] as const) {
        it(`${what} of a deleted agent, with the agent's name in the message`, async () => {
          for (const readsModel of [true, false]) {
            const says = /^The agent gone no longer exists\. It was deleted or renamed\.$/;
            await refused(goneAgent(edit, readsModel), { field: "form", says });
          }
        });
      }

      it("a change of an agent that was deleted while its form was open", async () => {
        await orders.make(orders.draft("short_lived"));
        const order = await orders.edit("short_lived", { instruction: "New." });
        await deleteAgent(orders.connection.client, project, "short_lived");
        await refused(order, { field: "form", says: /^The agent short_lived no longer exists/ });
      });

      it("a copy of a deleted agent, until the user enters the key", async () => {
        const modelOf = { project, name: "gone", hasKey: true };
        const order = { draft: orders.draft("copy_of_gone"), apiKey: "", modelOf };
        const says =
          /^The agent gone no longer exists, so its key can.t be copied\. Enter the key\.$/;
        await refused(order, { field: "apiKey", says });
        assertMade(await orders.send({ ...order, apiKey: MODEL_API_KEY }), order.draft.name);
      });

      it("a new name that was taken while the form was open", async () => {
        const order = await orders.edit("refusal_a", { name: "refusal_c" });
        await orders.make(orders.draft("refusal_c"));
        await refused(order, { field: "name", says: /an agent named refusal_c\./ });
        assert.equal((await orders.stored("refusal_a")).name, "refusal_a");
      });

      it("everything from a user whose sign-in expired", async () => {
        const stranger = await AgentOrders.connect(version, { keep: false });
        const { credential, client } = stranger.connection;
        await admin.get("/api/status");
        await client.post("/api/logout", {});
        assert.ok(credential);
        const failure = await stranger.refused({ draft: orders.draft("x"), apiKey: KEY });
        assert.equal(failure.field, "form");
        assert.match(failure.text, /requires you to sign in\.$/);
        await stranger.close();
      });

      it("values that the form also rejects", async () => {
        const wrong: [Partial<AgentDraft>, string][] = [
          [{ name: "" }, "Enter a name for the agent."],
          [
            { name: "Upper.Case" },
            "SQL can't find an agent by this name. Use lowercase letters, digits, and underscores, such as upper_case.",
          ],
          [
            { name: "שלום" },
            "Use lowercase letters, digits, and underscores, with at least one letter.",
          ],
          [{ tables: ["home_rentals"] }, agentProblems.entryWithoutOwner("home_rentals")],
          [{ tables: ["*"] }, agentProblems.entryWithoutOwner("*")],
          [{ tables: ["*.*"] }, agentProblems.patternEmpty("*.*")],
          [{ tables: ["files.a'b"] }, agentProblems.entryNotFound("files.a'b")],
          [{ tables: ["nowhere.x", SEEDED.table] }, agentProblems.entryNotFound("nowhere.x")],
          [{ knowledgeBases: ["nowhere.*"] }, agentProblems.patternEmpty("nowhere.*")],
          [own({ modelName: "" }), agentProblems.modelNameMissing()],
          [own({ baseUrl: "http://127.0.0.1:99999/v1" }), agentProblems.baseUrlInvalid()],
        ];
        for (const [change, text] of wrong) {
          const draft = orders.draft("new_one", { tables: [SEEDED.table], ...change });
          const { seen } = await orders.catalog.load(draft);
          const problems = validateDraft(draft, createSnapshot(seen));
          assert.ok(
            problems.some(({ isWarning }) => !isWarning),
            JSON.stringify(change),
          );
          assert.deepEqual(
            problems.map((problem) => problem.text),
            [text],
          );
        }
      });
    });

    if (!isNew) return;

    const ofModels: Case[] = [
      [
        "a provider that it does not know",
        () => own({ provider: "zzz" }),
        "provider",
        /Check the provider zzz, /,
      ],
      [
        "a provider that it no longer takes",
        () => own({ provider: "writer" }),
        "provider",
        /Check the provider writer, /,
      ],
      [
        "no key, without one of its own",
        () => own({ baseUrl: "" }),
        "apiKey",
        /^The server has no key of its own for openai\. Enter one\.$/,
        "",
      ],
      [
        "no key for a provider that needs one at any address",
        () => own({ provider: "anthropic" }),
        "apiKey",
        /no key of its own for anthropic/,
        "",
      ],
      ["a key that the provider refuses", () => at(401), "apiKey", /openai does not accept this/],
      ["a key that is forbidden", () => at(403), "apiKey", /openai does not accept this key/],
      [
        "a model that the provider does not know",
        () => at(404),
        "modelName",
        /^openai has no model scripted\. Check its name/,
      ],
      ["a model that takes no tools", () => at(400), "modelName", /request: No, not with \*+\./],
      ["a model that must be paid", () => at(402), "modelName", /request: No, not with \*+\./],
      ["too many requests", () => at(429), "provider", /rate-limiting requests/],
      ["a model that fails", () => at(500), "baseUrl", /failed \(HTTP 500\)/],
      ["a model that is not ready", () => at(503), "baseUrl", /failed \(HTTP 503\)/],
      [
        "a model that answers in words",
        () => at("words"),
        "modelName",
        /^scripted returned a response that agents can't use\. Select a model that can call tools\.$/,
      ],
      [
        "a page in place of a model",
        () => at("page"),
        "baseUrl",
        /^There is no model .* at .*\/page\/v1\. Check the base URL\.$/,
      ],
      [
        "an address that leads elsewhere",
        () => at("elsewhere"),
        "baseUrl",
        /^There is no model .* at .*\/elsewhere\/v1\./,
      ],
      ["a model that hangs up", () => at("gone"), "baseUrl", /can't reach .*\/gone\/v1\. Check/],
      [
        "an address where nothing answers",
        () => own({ baseUrl: "http://127.0.0.1:9/v1" }),
        "baseUrl",
        /can't reach http:\/\/127\.0\.0\.1:9\/v1/,
      ],
      [
        "a host that nobody knows",
        () => own({ baseUrl: "http://nowhere.invalid/v1" }),
        "baseUrl",
        /can't reach http:\/\/nowhere\.invalid\/v1/,
      ],
    ];
    const ofData: Case[] = [
      [
        "tables that are not there",
        () => ({ tables: ["files.zzz"] }),
        "tables",
        /none of these tables: files\.zzz/,
      ],
      [
        "an empty pattern",
        () => ({ tables: ["files.zzz_*"] }),
        "tables",
        /none of these tables: files\.zzz_\*/,
      ],
      [
        "a data source that is not there, beside tables that are",
        () => ({ tables: [SEEDED.table, "nowhere.*"] }),
        "tables",
        /^nowhere is not a data source of this server\. Remove the entries that begin with it\.$/,
      ],
      [
        "a project in place of a data source",
        () => ({ tables: ["mindsdb.models"] }),
        "tables",
        /^mindsdb is not a data source/,
      ],
      [
        "knowledge bases that are not there",
        () => ({ knowledgeBases: [`${project}.zzz`] }),
        "knowledgeBases",
        /none of these knowledge bases: mindsdb\.zzz/,
      ],
      [
        "a knowledge base of a project that is not there",
        () => ({ knowledgeBases: ["nowhere.zzz"] }),
        "knowledgeBases",
        /none of these knowledge bases: nowhere\.zzz/,
      ],
    ];

    describe("at creation", () => {
      for (const [what, given, field, says, apiKey = KEY] of [...ofModels, ...ofData]) {
        it(what, () =>
          refused({ draft: orders.draft("refused", given()), apiKey }, { field, says }),
        ).timeout(120_000);
      }

      it("a model whose answer is damaged", () =>
        refused(
          { draft: orders.draft("refused", at("damaged")), apiKey: KEY },
          { field: "baseUrl", says: /^There is no model .* at .*\/damaged\/v1\./ },
        ));

      it("tables that came after the first agent, with ways out that work", async () => {
        for (const name of ["late", "later"]) {
          const form = new FormData();
          form.set("file", new File(["a,b\n1,2\n"], `${name}.csv`));
          await admin.put(`/api/files/${name}`, form);
        }
        const draft = orders.draft("reads_late", { tables: ["files.late", "files.later"] });
        await orders.make(orders.draft("refusal_d"));
        const says = /newer: files\.late.*\. Select files\.\* instead, or add an older table/;
        await refused({ draft, apiKey: KEY }, { field: "tables", says });
        for (const tables of [["files.late"], ["files.late*"]]) {
          await refused({ draft: { ...draft, tables }, apiKey: KEY }, { field: "tables", says });
          const change = await orders.edit("refusal_d", { tables });
          await refused(change, { field: "tables", says });
        }
        const rows = await admin.sql("SELECT a, b FROM files.late");
        for (const tables of [["files.*"], ["files.late", SEEDED.table]]) {
          const name = `reads_late_${tables.length}`;
          await orders.make({ ...draft, name, tables });
          assert.deepEqual((await orders.stored(name)).tables, tables);
          const run = await new Conversation(orders.connection, name).ask("[late] What is in it?");
          assert.equal(run.answer?.format, "table", run.reason);
          const shown = parsePipeTable(run.answer.text)?.rows;
          assert.deepEqual(
            shown,
            rows.map((row) => row.map(String)),
          );
        }
      });

      it("a missing model without a default model", () =>
        refused(
          { draft: orders.draft("refused", own({ own: false })), apiKey: "" },
          {
            field: "model",
            says: /^The server can't use a default model\. Select a custom model/,
          },
        ));
    });

    describe("at a change", () => {
      for (const [what, given, field, says, apiKey = KEY] of [...ofModels, ...ofData]) {
        it(what, async () => {
          const edit = given();
          const order = await orders.edit("refusal_a", edit, edit.model ? apiKey : "");
          // Only an agent without a key can be left without one.
          if (apiKey === "") delete order.modelOf;
          await refused(order, { field, says });
        });
      }

      it("a model whose answer is damaged", async () =>
        refused(await orders.edit("refusal_a", at("damaged"), KEY), {
          field: "baseUrl",
          says: /^There is no model .* at .*\/damaged\/v1\./,
        }));

      it("an agent that is deleted while its model is tested", async () => {
        await orders.make(orders.draft("tried"));
        const order = await orders.edit("tried", at("held"), KEY);
        const failure = orders.refused(order);
        await eventually(() => assert.ok(models.held > 0));
        await deleteAgent(orders.connection.client, project, "tried");
        // Its model fails as well, which the server says first, and tries again.
        const { text } = await models.letting(failure);
        assert.match(text, /failed \(HTTP 500\)|The agent tried no longer exists/);
      });
    });

    describe("a default model", () => {
      const byDefault = async (model: object, says: RegExp): Promise<void> => {
        await admin.put("/api/config/", { default_llm: model });
        try {
          const draft = orders.draft("refused", own({ own: false }));
          await refused({ draft, apiKey: "" }, { field: "model", says });
        } finally {
          await admin.put("/api/config/", { default_llm: {} });
        }
      };
      const model = (base_url: string) => {
        return { provider: "openai", model_name: "scripted", api_key: KEY, base_url };
      };

      it("that fails", () =>
        byDefault(
          model(models.with(401)),
          /default model failed \(HTTP 401\)\. Select a custom model/,
        ));
      it("that cannot be reached", () =>
        byDefault(model("http://127.0.0.1:9/v1"), /can't reach its default model\. Select/));
      it("that answers without tool calls", () =>
        byDefault(model(models.with("words")), /default model returned .* call tools\.$/));
      it("with an unknown provider", () =>
        byDefault({ provider: "zzz", model_name: "x" }, /can't use a default model\. Select/));
    });

    describe("a setting that models do not accept", () => {
      /** The only way that it comes into an agent of this version. */
      const withSetting = async (name: string): Promise<void> => {
        await orders.make(orders.draft(name));
        const { model } = await orders.stored(name);
        const params = { model: { ...model, temperature: 0.1 } };
        const path = `/api/projects/${project}/agents/${name}`;
        await orders.connection.client.put(path, { agent: { params } });
      };
      const says = /^This server does not accept the setting temperature for an agent's model/;

      it("in a copy of an agent with it", async () => {
        await withSetting("warm");
        const { before: draft, modelOf } = await orders.edit("warm", {});
        assert.ok(draft);
        const copy = { draft: { ...draft, name: "warm_copy" }, apiKey: "", modelOf };
        await refused(copy, { field: "model", says });
      });

      it("in a new model of an agent with it", async () => {
        await withSetting("warm_too");
        const order = await orders.edit("warm_too", own({ modelName: "scripted-too" }));
        await refused(order, { field: "model", says });
      });
    });

    it("no canceled request: the server still creates the agent", async () => {
      const cancel = new AbortController();
      const slow = own({ baseUrl: models.late(fixture(version).llm) });
      const order = { draft: orders.draft("cancelled", slow), apiKey: MODEL_API_KEY };
      const sent = orders.send(order, cancel.signal);
      await eventually(() => assert.ok(models.held > 0));
      cancel.abort();
      await assert.rejects(sent, (error) => error === cancel.signal.reason);
      await assert.rejects(orders.stored("cancelled"), isNotFound);
      await models.letting(eventually(() => orders.stored("cancelled")));
    });

    it("no name that was taken while it tested the model, so that two agents have it", async () => {
      const slow = own({ baseUrl: models.late(fixture(version).llm) });
      const first = orders.make(orders.draft("twin", slow));
      await eventually(() => assert.ok(models.held > 0));
      assertMade(await orders.make(orders.draft("twin")), "twin");
      assertMade(await models.letting(first), "twin");
      const { client } = orders.connection;
      const twins = (await listAgents(client, project)).filter(({ name }) => name === "twin");
      assert.equal(twins.length, 2);
      await refused(
        { draft: orders.draft("twin"), apiKey: KEY },
        { field: "name", says: /an agent named twin\./ },
      );
      // Each request deletes one of the two.
      await deleteAgent(client, project, "twin");
      assert.equal((await orders.stored("twin")).name, "twin");
      await deleteAgent(client, project, "twin");
      await assert.rejects(orders.stored("twin"), isNotFound);
    });
  });
}
