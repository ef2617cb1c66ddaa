// Creates and edits agents on real servers with the code behind the form and quick create.
import assert from "node:assert/strict";
import { createAgentStatement } from "../../src/agents/host/createStatement.ts";
import { buildCreateFields, createDraft, type AgentDraft } from "../../src/agents/agentDraft.ts";
import { agentProblems } from "../../src/agents/agentProblems.ts";
import { draftInstruction } from "../../src/agents/draftInstruction.ts";
import { keyPlaceholder } from "../../src/shared/usingClause.ts";
import { createSnapshot, validateDraft } from "../../src/agents/validation.ts";
import { deleteAgent, updateAgent } from "../../src/mindsdb/agents.ts";
import { isAppError, type AppErrorKind } from "../../src/mindsdb/errors.ts";
import { hostileTexts } from "../hostileTexts.ts";
import { Admin } from "./admin.ts";
import { AgentOrders, assertMade, FailingModels, project } from "./agentOrders.ts";
import { Conversation } from "./conversation.ts";
import { fixture, versions } from "./fixture.ts";
import { MODEL_API_KEY } from "./script.ts";
import { SEEDED } from "./seed.ts";

const { testsModelOnCreate } = await import("../../src/agents/host/saveAgent.ts");

for (const version of versions) {
  describe(`MindsDB ${version}, creating and editing agents`, () => {
    const models = new FailingModels();
    let orders: AgentOrders;
    const isNew = version === "26.1.0";

    before(async () => {
      await models.start();
      orders = await AgentOrders.connect(version);
    });
    after(async () => {
      await orders.close();
      models.stop();
    });
    const ask = (agent: string, question: string) =>
      new Conversation(orders.connection, agent).ask(question);

    describe("an agent", () => {
      it("is created with all data and a drafted instruction, and answers", async () => {
        const wanted = orders.draft("form_agent", {
          tables: ["files.*"],
          knowledgeBases: [`${project}.*`],
        });
        const data = await orders.catalog.describe(wanted);
        wanted.instruction = draftInstruction(data);
        assert.match(wanted.instruction, /^- files\.home_rentals: .*rental_price/m);
        assert.match(wanted.instruction, new RegExp(`^- mindsdb\\.${SEEDED.knowledgeBase}: `, "m"));
        assertMade(await orders.make(wanted), "form_agent");
        const run = await ask("form_agent", "[sql] Where is it dear?");
        assert.equal(run.state, "answered");
        assert.match(run.answer?.text ?? "", /\*\*great\*\*/);
      });

      it("is duplicated with its key, and the copy answers", async () => {
        const now = await orders.stored("form_agent");
        const copy = { ...createDraft(now, project), name: "form_copy" };
        const modelOf = { project, name: "form_agent", hasKey: true };
        await orders.send({ draft: copy, apiKey: "", modelOf });
        assert.equal((await orders.stored("form_copy")).model?.["api_key"], MODEL_API_KEY);
        const run = await ask("form_copy", "[text] Hello?");
        assert.equal(run.state, "answered");
      });

      it("keeps fields that the form does not show, also in a copy", async () => {
        const params = { mode: "sql" };
        await orders.make(orders.draft("form_sql", { tables: ["files.*"], params }));
        await orders.change("form_sql", { tables: ["files.home_rentals"] });
        const now = await orders.stored("form_sql");
        assert.deepEqual(now.params, params);
        const copy = { ...createDraft(now, project), name: "form_sql_copy" };
        const modelOf = { project, name: "form_sql", hasKey: true };
        await orders.send({ draft: copy, apiKey: "", modelOf });
        assert.deepEqual((await orders.stored("form_sql_copy")).params, params);
      });

      it("is validated before anything is sent", async () => {
        const wanted = orders.draft("form_agent", {
          tables: ["files.zzz", "files.home_*", "nowhere.*"],
          knowledgeBases: [`${project}.zzz`, SEEDED.knowledgeBase],
        });
        const { seen, failure } = await orders.catalog.load(wanted);
        assert.equal(failure, undefined);
        assert.deepEqual(seen.tables, { "files.zzz": 0, "files.home_*": 1, "nowhere.*": 0 });
        assert.deepEqual(seen.knowledgeBases, {
          [`${project}.zzz`]: 0,
          [SEEDED.knowledgeBase]: 1,
        });
        assert.equal(seen.defaultModel, "");
        const texts = validateDraft(wanted, createSnapshot(seen)).map(({ text }) => text);
        assert.deepEqual(texts, [
          "This project has an agent named form_agent. Choose another name.",
          agentProblems.entryNotFound("files.zzz"),
          agentProblems.patternEmpty("nowhere.*"),
          agentProblems.entryNotFound(`${project}.zzz`),
        ]);
      });

      it("uses the server's default model if there is one", async () => {
        const { server, llm } = fixture(version);
        const admin = await Admin.signIn(server);
        const model = {
          provider: "openai",
          model_name: "scripted",
          api_key: MODEL_API_KEY,
          base_url: llm.url,
        };
        await admin.put("/api/config/", { default_llm: model });
        try {
          const wanted = orders.draft("default_agent", { model: orders.own({ own: false }) });
          assert.equal((await orders.catalog.load(wanted)).seen.defaultModel, "openai · scripted");
          await orders.make(wanted);
          assert.equal((await orders.stored("default_agent")).model, undefined);
          const run = await ask("default_agent", "[text] Hello?");
          assert.equal(run.state, "answered");
        } finally {
          await admin.put("/api/config/", { default_llm: {} });
        }
      });

      it("has its model tested by the server, or not", async () => {
        assert.equal(await testsModelOnCreate(orders.servers, "real"), isNew);
      });
    });

    describe("copied as SQL", () => {
      /** Runs the statement with the key in its place. */
      const run = async (draft: AgentDraft, name: string): Promise<void> => {
        const { server } = fixture(version);
        const fields = buildCreateFields({ ...draft, name }, "a key that is typed");
        const statement = createAgentStatement(project, fields);
        assert.ok(statement, name);
        assert.ok(!statement.includes("a key that is typed"));
        const admin = await Admin.signIn(server);
        await admin.sql(statement.replace(keyPlaceholder, MODEL_API_KEY));
      };

      after("leave the server as it was", async () => {
        for (const name of ["sql_agent", "sql_bare"]) {
          await deleteAgent(orders.connection.client, project, name);
        }
      });

      it("creates the same agent as the form, and the agent answers", async () => {
        const given = orders.draft("sql_agent", {
          tables: ["files.home_rentals"],
          knowledgeBases: [`${project}.${SEEDED.knowledgeBase}`],
          instruction:
            'You\'re a "helper".\nAnswer in one line -- or two; 100% é 🏠 {{question}} :x',
          params: { mode: "text" },
        });
        await run(given, "sql_agent");
        await orders.make({ ...given, name: "sql_agent_form" });
        const made = await orders.stored("sql_agent");
        const expected = await orders.stored("sql_agent_form");
        assert.deepEqual(made, { ...expected, name: "sql_agent" });
        const answered = await ask("sql_agent", "[text] Hello?");
        assert.equal(answered.state, "answered");
      });

      it("contains every instruction unchanged, or reports that it cannot", async () => {
        let said = 0;
        for (const [index, text] of hostileTexts.entries()) {
          const given = orders.draft("x", { instruction: text });
          const name = `sql_hostile_${String(index)}`;
          if (
            createAgentStatement(project, buildCreateFields({ ...given, name }, "")) === undefined
          ) {
            continue;
          }
          said++;
          await run(given, name);
          assert.equal((await orders.stored(name)).promptTemplate, text.trim(), text);
          await deleteAgent(orders.connection.client, project, name);
        }
        assert.ok(
          said > hostileTexts.length / 2,
          `${String(said)} of ${String(hostileTexts.length)}`,
        );
      });

      it("creates an agent from only a name", async () => {
        const admin = await Admin.signIn(fixture(version).server);
        const model = {
          provider: "openai",
          model_name: "scripted",
          api_key: MODEL_API_KEY,
          base_url: fixture(version).llm.url,
        };
        await admin.put("/api/config/", { default_llm: model });
        try {
          await run(orders.draft("x", { model: orders.own({ own: false }) }), "sql_bare");
          assert.equal((await orders.stored("sql_bare")).model, undefined);
        } finally {
          await admin.put("/api/config/", { default_llm: {} });
        }
      });
    });

    describe("a change", () => {
      before(() =>
        orders.make(
          orders.draft("changing", { tables: ["files.home_rentals"], instruction: "One." }),
        ),
      );

      it("contains only the differences, and keeps the key and everything else", async () => {
        const before = await orders.stored("changing");
        const sent = await orders.change("changing", { instruction: "Two." });
        assert.ok(sent.kind === "updated" && sent.isChanged);
        assert.deepEqual(await orders.stored("changing"), { ...before, promptTemplate: "Two." });
      });

      it("of the model's name keeps the key", async () => {
        await orders.change("changing", { model: orders.own({ modelName: "scripted-too" }) });
        const { model } = await orders.stored("changing");
        assert.equal(model?.["model_name"], "scripted-too");
        assert.equal(model["api_key"], MODEL_API_KEY);
        const run = await ask("changing", "[text] Hello?");
        assert.equal(run.state, "answered");
      });

      it("of only the key is saved", async () => {
        await orders.change("changing", {}, "open-sesame-2");
        assert.equal((await orders.stored("changing")).model?.["api_key"], "open-sesame-2");
      });

      it("of the data replaces both lists", async () => {
        const knowledgeBases = [`${project}.${SEEDED.knowledgeBase}`];
        await orders.change("changing", { tables: [], knowledgeBases });
        const now = await orders.stored("changing");
        assert.deepEqual([now.tables, now.knowledgeBases], [[], knowledgeBases]);
        await orders.change("changing", { knowledgeBases: [] });
        const then = await orders.stored("changing");
        assert.deepEqual([then.tables, then.knowledgeBases], [[], []]);
      });

      it("of only the name can be lost by the server if nothing else is sent", async () => {
        await orders.make(orders.draft("alone", { instruction: "One." }));
        await updateAgent(orders.connection.client, project, "alone", { name: "alone_too" });
        const [kept, gone] = isNew ? ["alone", "alone_too"] : ["alone_too", "alone"];
        assert.equal((await orders.stored(kept)).name, kept);
        await assert.rejects(orders.stored(gone), isKind("notFound"));
        await deleteAgent(orders.connection.client, project, kept);
      });

      it("of only the name is saved, with and without an instruction", async () => {
        const renamed = await orders.change("changing", { name: "changed" });
        assert.ok(renamed.kind === "updated");
        assert.equal(renamed.agent.name, "changed");
        await assert.rejects(orders.stored("changing"), isKind("notFound"));
        await orders.change("changed", { instruction: "" });
        assert.equal((await orders.stored("changed")).promptTemplate, undefined);
        await orders.change("changed", { name: "changed_again" });
        assert.equal((await orders.stored("changed_again")).name, "changed_again");
        await assert.rejects(orders.stored("changed"), isKind("notFound"));
      });

      it("to the server's default removes the model", async () => {
        await orders.make(orders.draft("to_default", { instruction: "One." }));
        await orders.change("to_default", { model: { ...orders.own(), own: false } });
        assert.equal((await orders.stored("to_default")).model, undefined);
      });
    });

    if (!isNew) {
      describe("invalid values that the server accepts", () => {
        for (const [what, given] of [
          ["an unknown provider", () => ({ model: orders.own({ provider: "zzz" }) })],
          ["no model at all", () => ({ model: orders.own({ own: false }) })],
          [
            "a key that the provider refuses",
            () => ({ model: orders.own({ baseUrl: models.with(401) }) }),
          ],
        ] as [string, () => Partial<AgentDraft>][]) {
          it(`${what}: the first question fails`, async () => {
            const name = `loose_${what.replaceAll(" ", "_")}`;
            assertMade(await orders.make(orders.draft(name, given())), name);
            const run = await ask(name, "[text] Hello?");
            assert.equal(run.state, "failed");
          });
        }
      });
    }
  });
}

function isKind(kind: AppErrorKind): (error: unknown) => boolean {
  return (error) => isAppError(error, kind);
}
