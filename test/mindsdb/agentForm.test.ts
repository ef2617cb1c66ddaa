// Agents made and changed by what stands behind the form and quick create, on real servers: they answer, and every
// refusal that a server can give is a sentence at the field that it concerns.
import assert from "node:assert/strict";
import http from "node:http";
import { registerHooks } from "node:module";
import type { AddressInfo } from "node:net";
import { draftOf, emptyDraft, hasStoredKey, type AgentDraft } from "../../src/agents/draft.ts";
import type { Order } from "../../src/agents/host/send.ts";
import { draftInstruction } from "../../src/agents/instruction.ts";
import type { Field } from "../../src/agents/problems.ts";
import { knownFrom, problemsOf } from "../../src/agents/problems.ts";
import type { ServerAccess } from "../../src/connections/connection.ts";
import { deleteAgent, getAgent } from "../../src/mindsdb/agents.ts";
import { parseAddress } from "../../src/mindsdb/address.ts";
import { AppError } from "../../src/mindsdb/errors.ts";
import { getStatus } from "../../src/mindsdb/login.ts";
import { createTransport } from "../../src/mindsdb/transport.ts";
import { Admin } from "./admin.ts";
import { connect, Conversation, type Connection } from "./conversation.ts";
import { fixture, versions } from "./fixture.ts";
import { MODEL_API_KEY } from "./script.ts";
import { SEEDED } from "./seed.ts";

// The words of the product come from VS Code's API.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "vscode"
      ? { url: import.meta.resolve("../page/vscodeStub.ts"), shortCircuit: true }
      : next(specifier, context),
});
const { Catalogue } = await import("../../src/agents/host/catalogue.ts");
const { failureOf, sendAgent, triesModel } = await import("../../src/agents/host/send.ts");

/** Another made-up key, for the models that refuse. */
const KEY = "close-sesame-9876543210";
const project = "mindsdb";
const never = new AbortController().signal;

/** Models that fail: the HTTP status stands in the address. */
class FailingModels {
  readonly #server = http.createServer((request, response) => {
    const status = Number(/^\/(\d{3})\//.exec(request.url ?? "")?.[1] ?? 500);
    const error = { message: `No, not with ${KEY}.`, type: "scripted", param: null, code: null };
    response.shouldKeepAlive = false;
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ error }));
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  with(status: number): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/${status}/v1`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

for (const version of versions) {
  describe(`MindsDB ${version}, making and changing agents`, () => {
    const models = new FailingModels();
    let connection: Connection;
    let catalogue: InstanceType<typeof Catalogue>;
    let servers: ServerAccess;
    const made: string[] = [];
    const isNew = version === "26.1.0";

    before(async () => {
      await models.start();
      const { url } = fixture(version).server;
      connection = await connect(url);
      const { client } = connection;
      const entry = { id: "real", name: "Real", address: url, isPreset: false };
      const transport = createTransport(parseAddress(url));
      servers = {
        list: () => [entry],
        find: () => entry,
        client: () => Promise.resolve(client),
        status: () => getStatus(transport),
      };
      catalogue = new Catalogue(servers, entry.id);
    });
    after(async () => {
      for (const name of made) {
        await deleteAgent(connection.client, project, name).catch(() => undefined);
      }
      await connection.close();
      models.stop();
    });

    const own = (change: Partial<AgentDraft["model"]> = {}): AgentDraft["model"] => {
      const baseUrl = fixture(version).llm.url;
      return { own: true, provider: "openai", modelName: "scripted", baseUrl, ...change };
    };
    const draft = (name: string, change: Partial<AgentDraft> = {}): AgentDraft => ({
      ...emptyDraft(project),
      name,
      model: own(),
      ...change,
    });
    const send = async (order: Order) => {
      made.push(order.draft.name);
      return sendAgent(catalogue, order, never);
    };
    const make = (given: AgentDraft, apiKey: string = MODEL_API_KEY) =>
      send({ draft: given, apiKey });
    const stored = (name: string) => getAgent(connection.client, project, name);
    /** Changes an agent as its form does. */
    const change = async (name: string, edit: Partial<AgentDraft>, apiKey = "") => {
      const now = await stored(name);
      const before = draftOf(now, project);
      const modelOf = { project, name, hasKey: hasStoredKey(now.model) };
      return send({ draft: { ...before, ...edit }, apiKey, before, modelOf });
    };

    describe("an agent", () => {
      it("is made over everything there is, with a drafted instruction, and answers", async () => {
        const wanted = draft("form_agent", {
          tables: ["files.*"],
          knowledgeBases: [`${project}.*`],
        });
        const data = await catalogue.describe(wanted);
        wanted.instruction = draftInstruction(data);
        assert.match(wanted.instruction, /^- files\.home_rentals: .*rental_price/m);
        assert.match(wanted.instruction, new RegExp(`^- mindsdb\\.${SEEDED.knowledgeBase}: `, "m"));
        assert.deepEqual(await make(wanted), { made: true });
        const run = await new Conversation(connection, "form_agent").ask("[sql] Where is it dear?");
        assert.equal(run.state, "answered");
        assert.match(run.answer?.text ?? "", /\*\*great\*\*/);
      });

      it("is duplicated with its key, and the copy answers", async () => {
        const now = await stored("form_agent");
        const copy = { ...draftOf(now, project), name: "form_copy" };
        const modelOf = { project, name: "form_agent", hasKey: true };
        await send({ draft: copy, apiKey: "", modelOf });
        assert.equal((await stored("form_copy")).model?.["api_key"], MODEL_API_KEY);
        const run = await new Conversation(connection, "form_copy").ask("[text] Hello?");
        assert.equal(run.state, "answered");
      });

      it("is known to be taken, missing or too much before anything is sent", async () => {
        const wanted = draft("form_agent", {
          tables: ["files.zzz", "files.home_*", "nowhere.*"],
          knowledgeBases: [`${project}.zzz`, SEEDED.knowledgeBase],
        });
        const { seen, failure } = await catalogue.look(wanted);
        assert.equal(failure, undefined);
        assert.deepEqual(seen.tables, { "files.zzz": 0, "files.home_*": 1, "nowhere.*": 0 });
        assert.deepEqual(seen.knowledgeBases, {
          [`${project}.zzz`]: 0,
          [SEEDED.knowledgeBase]: 1,
        });
        assert.equal(seen.defaultModel, "");
        const kinds = problemsOf(wanted, knownFrom(seen)).map(({ kind }) => kind);
        assert.deepEqual(kinds, ["nameTaken", "entryNotFound", "patternEmpty", "entryNotFound"]);
      });

      it("thinks with the server's default, which is named, where there is one", async () => {
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
          const wanted = draft("default_agent", { model: own({ own: false }) });
          assert.equal((await catalogue.look(wanted)).seen.defaultModel, "openai · scripted");
          await make(wanted);
          assert.equal((await stored("default_agent")).model, undefined);
          const run = await new Conversation(connection, "default_agent").ask("[text] Hello?");
          assert.equal(run.state, "answered");
        } finally {
          await admin.put("/api/config/", { default_llm: {} });
        }
      });

      it("has its model tried by the server, or not", async () => {
        assert.equal(await triesModel(servers, "real"), isNew);
      });
    });

    describe("a change", () => {
      before(() =>
        make(draft("changing", { tables: ["files.home_rentals"], instruction: "One." })),
      );

      it("holds what differs, and keeps the key and all else", async () => {
        const before = await stored("changing");
        const sent = await change("changing", { instruction: "Two." });
        assert.ok("now" in sent && sent.isChanged);
        assert.deepEqual(await stored("changing"), { ...before, promptTemplate: "Two." });
      });

      it("of the model's name keeps the key", async () => {
        await change("changing", { model: own({ modelName: "scripted-too" }) });
        const { model } = await stored("changing");
        assert.equal(model?.["model_name"], "scripted-too");
        assert.equal(model["api_key"], MODEL_API_KEY);
        const run = await new Conversation(connection, "changing").ask("[text] Hello?");
        assert.equal(run.state, "answered");
      });

      it("of the key alone arrives", async () => {
        await change("changing", {}, "open-sesame-2");
        assert.equal((await stored("changing")).model?.["api_key"], "open-sesame-2");
      });

      it("of the data replaces both lists", async () => {
        const knowledgeBases = [`${project}.${SEEDED.knowledgeBase}`];
        await change("changing", { tables: [], knowledgeBases });
        const now = await stored("changing");
        assert.deepEqual([now.tables, now.knowledgeBases], [[], knowledgeBases]);
        await change("changing", { knowledgeBases: [] });
        const then = await stored("changing");
        assert.deepEqual([then.tables, then.knowledgeBases], [[], []]);
      });

      it("of the name alone is not lost, with an instruction and without", async () => {
        const renamed = await change("changing", { name: "changed" });
        assert.ok("now" in renamed);
        assert.equal(renamed.now.name, "changed");
        await assert.rejects(stored("changing"), isKind("notFound"));
        await change("changed", { instruction: "" });
        assert.equal((await stored("changed")).promptTemplate, undefined);
        await change("changed", { name: "changed_again" });
        assert.equal((await stored("changed_again")).name, "changed_again");
        await assert.rejects(stored("changed"), isKind("notFound"));
      });

      it("to the server's default takes the model away", async () => {
        await make(draft("to_default", { instruction: "One." }));
        await change("to_default", { model: { ...own(), own: false } });
        assert.equal((await stored("to_default")).model, undefined);
      });
    });

    /** What the user is told; fails if the server does not refuse. */
    const refused = async (order: Order): Promise<{ field: Field; text: string }> => {
      try {
        await send(order);
      } catch (error) {
        const { client } = connection;
        const failure = await failureOf(error, catalogue, order, undefined);
        const { message, detail = "" } = error as AppError;
        for (const secret of [KEY, MODEL_API_KEY]) {
          for (const text of [failure.text, message, client.secrets.redact(detail)]) {
            assert.ok(!text.includes(secret), text);
          }
        }
        assert.doesNotMatch(failure.text, /Traceback|\{'|status_code|ModelHTTPError/);
        assert.match(failure.text, /\.$/);
        return failure;
      }
      return assert.fail("the server took it");
    };

    describe("what every server refuses", () => {
      it("a name that is taken", async () => {
        const { field, text } = await refused({ draft: draft(SEEDED.agent), apiKey: KEY });
        made.splice(made.indexOf(SEEDED.agent), 1);
        assert.equal(field, "name");
        assert.equal(text, `${SEEDED.agent} is taken in this project. Choose another name.`);
      });

      it("a new name that is taken", async () => {
        const before = draftOf(await stored("form_copy"), project);
        const order = { draft: { ...before, name: "form_agent" }, apiKey: "", before };
        assert.equal((await refused(order)).field, "name");
      });

      it("a project that is not there", async () => {
        const { field, text } = await refused({
          draft: draft("x", { project: "nope" }),
          apiKey: KEY,
        });
        assert.equal(field, "project");
        assert.match(text, /The project nope is not on the server/);
      });

      it("an agent that is gone", async () => {
        const before = draft("gone");
        const order = { draft: { ...before, instruction: "New." }, apiKey: "", before };
        const { field, text } = await refused(order);
        assert.equal(field, "form");
        assert.match(text, /There is no agent gone any more/);
      });
    });

    if (isNew) {
      const bad: [what: string, () => [Partial<AgentDraft>, string?], Field, RegExp][] = [
        [
          "a provider that it does not know",
          () => [{ model: own({ provider: "zzz" }) }],
          "provider",
          /Check the provider zzz/,
        ],
        [
          "a provider that it no longer takes",
          () => [{ model: own({ provider: "writer" }) }],
          "provider",
          /Check the provider writer/,
        ],
        [
          "no model, without a default",
          () => [{ model: own({ own: false }) }],
          "model",
          /Choose a model of its own/,
        ],
        [
          "no key, without one of its own",
          () => [{ model: own({ baseUrl: "" }) }, ""],
          "apiKey",
          /no key of its own for openai/,
        ],
        [
          "a key that the provider refuses",
          () => [{ model: own({ baseUrl: models.with(401) }) }],
          "apiKey",
          /openai does not accept this key/,
        ],
        [
          "a key that is forbidden",
          () => [{ model: own({ baseUrl: models.with(403) }) }],
          "apiKey",
          /openai does not accept this key/,
        ],
        [
          "a model that the provider does not know",
          () => [{ model: own({ baseUrl: models.with(404) }) }],
          "modelName",
          /openai knows no model scripted/,
        ],
        [
          "a model that takes no tools",
          () => [{ model: own({ baseUrl: models.with(400) }) }],
          "modelName",
          /It says: No, not with \*+\./,
        ],
        [
          "too many requests",
          () => [{ model: own({ baseUrl: models.with(429) }) }],
          "provider",
          /no more requests for now/,
        ],
        [
          "a model that fails",
          () => [{ model: own({ baseUrl: models.with(500) }) }],
          "baseUrl",
          /failed \(HTTP 500\)/,
        ],
        [
          "an address where nothing answers",
          () => [{ model: own({ baseUrl: "http://127.0.0.1:9/v1" }) }],
          "baseUrl",
          /cannot reach http:\/\/127\.0\.0\.1:9\/v1/,
        ],
        [
          "tables that are not there",
          () => [{ tables: ["files.zzz"] }],
          "tables",
          /no table in this list: files\.zzz/,
        ],
        ["an empty pattern", () => [{ tables: ["files.zzz_*"] }], "tables", /files\.zzz_\*/],
        [
          "knowledge bases that are not there",
          () => [{ knowledgeBases: [`${project}.zzz`] }],
          "knowledgeBases",
          /mindsdb\.zzz/,
        ],
      ];
      describe("what it refuses to make", () => {
        for (const [what, given, field, says] of bad) {
          it(what, async () => {
            const [change, apiKey = KEY] = given();
            const failure = await refused({ draft: draft("refused", change), apiKey });
            assert.match(failure.text, says);
            assert.equal(failure.field, field);
          }).timeout(120_000);
        }
      });

      describe("what it refuses to change", () => {
        for (const [what, given, field, says] of bad.filter(
          ([what]) => !what.startsWith("no model"),
        )) {
          it(what, async () => {
            const [edit, apiKey = KEY] = given();
            const now = await stored("form_copy");
            const before = draftOf(now, project);
            // Only an agent without a key can be left without one.
            const modelOf = apiKey === "" ? undefined : { project, name: now.name, hasKey: true };
            const typed = edit.model ? apiKey : "";
            const failure = await refused({
              draft: { ...before, ...edit },
              apiKey: typed,
              before,
              modelOf,
            });
            assert.match(failure.text, says);
            assert.equal(failure.field, field);
          }).timeout(120_000);
        }
      });
    } else {
      describe("what it takes without a look", () => {
        for (const [what, given] of [
          ["an unknown provider", () => ({ model: own({ provider: "zzz" }) })],
          ["no model at all", () => ({ model: own({ own: false }) })],
          [
            "a key that the provider refuses",
            () => ({ model: own({ baseUrl: models.with(401) }) }),
          ],
        ] as [string, () => Partial<AgentDraft>][]) {
          it(`${what}: the first question fails`, async () => {
            const name = `loose_${what.replaceAll(" ", "_")}`;
            assert.deepEqual(await make(draft(name, given())), { made: true });
            const run = await new Conversation(connection, name).ask("[text] Hello?");
            assert.equal(run.state, "failed");
          });
        }
      });
    }
  });
}

function isKind(kind: AppError["kind"]): (error: unknown) => boolean {
  return (error) => error instanceof AppError && error.kind === kind;
}
