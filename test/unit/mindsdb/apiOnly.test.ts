// Servers that have only the published API, in every form that its documentation allows.
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { askAgent, createAgent, listAgents } from "../../../src/mindsdb/agents.ts";
import { formatAddress, parseAddress } from "../../../src/mindsdb/http/serverAddress.ts";
import type { Client } from "../../../src/mindsdb/http/client.ts";
import { describeFirst, describeModel } from "../../../src/mindsdb/describeModel.ts";
import { AppError, isAppError, type AppErrorKind } from "../../../src/mindsdb/errors.ts";
import { findServer } from "../../../src/mindsdb/http/findServer.ts";
import { findKnowledgeBase, getKnowledgeBase } from "../../../src/mindsdb/knowledgeBases.ts";
import { isListAbsent, nullIfAbsent } from "../../../src/mindsdb/isListAbsent.ts";
import { login } from "../../../src/mindsdb/http/login.ts";
import { findVersion } from "../../../src/mindsdb/models.ts";
import { readPlainAnswer } from "../../../src/mindsdb/plainAnswer.ts";
import { modelColumns, predict } from "../../../src/mindsdb/predict.ts";
import { listProjects } from "../../../src/mindsdb/projects.ts";
import type { StepEvent } from "../../../src/mindsdb/stream/stepEvents.ts";
import { createTransport, type Transport } from "../../../src/mindsdb/http/transport.ts";
import { readResponseRows } from "../../../src/predict/run/responseRows.ts";
import { readValueText } from "../../../src/predict/rows/row.ts";
import { startTestServer } from "../../sampleServer/server.ts";
import {
  apiOnlyToken,
  held,
  startApiOnlyServer,
  type ApiOnlyOptions,
  type ApiOnlyServer,
} from "../../apiOnlyServer.ts";
import { clientOver } from "../../clientOver.ts";
import { listen, sendJson, type SeenRequest, type TestServer } from "./httpServer.ts";

const account = { username: "ada", password: "made-up" };
const isKind = (kind: AppErrorKind) => (error: unknown) => isAppError(error, kind);

describe("a server that has only the published API", () => {
  let server: ApiOnlyServer;
  let transport: Transport;
  let client: Client;

  beforeEach(async () => {
    server = await startApiOnlyServer();
    transport = createTransport(parseAddress(server.url));
    client = clientOver(transport, { credential: { token: apiOnlyToken } });
  });
  afterEach(async () => {
    await transport.close();
    await server.stop();
  });
  const setOptions = (options: ApiOnlyOptions): void => void Object.assign(server.options, options);

  describe("is found", () => {
    const shapes: ApiOnlyOptions[] = (
      ["json404", "html404", "json405", "json403"] as const
    ).flatMap((otherPaths) => [
      { otherPaths },
      { otherPaths, login: account },
      { otherPaths, login: account, guardsEverything: true },
    ]);
    for (const shape of shapes) {
      it(`as ${JSON.stringify({ ...shape, login: shape.login && "yes" })}`, async () => {
        setOptions(shape);
        const { status, isCertain, address } = await findServer(server.address);
        assert.equal(isCertain, true);
        assert.equal(formatAddress(address), server.url);
        assert.deepEqual(status, { authEnabled: shape.login !== undefined, confirmed: false });
      });
    }

    it("by requests with made-up names and without credentials", async () => {
      setOptions({ login: account, guardsEverything: true });
      await findServer(server.address);
      for (const { path, body, authorization } of server.requests) {
        assert.ok(body === "" || body === "{}", body);
        assert.equal(authorization, undefined);
        assert.match(
          path,
          /^\/api\/(status|login|mindsdb-workbench-probe|projects\/mindsdb-workb)/,
        );
      }
    });
  });

  for (const tokenField of ["token", "access_token"] as const) {
    it(`returns a token in the field ${tokenField}`, async () => {
      setOptions({ login: account, tokenField });
      assert.deepEqual(await login(transport, account), { token: apiOnlyToken });
      const wrong = { ...account, password: "wrong" };
      await assert.rejects(login(transport, wrong), isKind("signInRefused"));
      await getKnowledgeBase(client, held.project, held.knowledgeBase);
      await assert.rejects(
        getKnowledgeBase(clientOver(transport), held.project, held.knowledgeBase),
        isKind("signInNeeded"),
      );
    });
  }

  for (const otherPaths of ["json404", "html404", "json405", "json403"] as const) {
    it(`has no lists and replies to list requests with ${otherPaths}`, async () => {
      setOptions({ otherPaths });
      await assert.rejects(listProjects(client), isListAbsent);
      assert.equal(await listProjects(client).catch(nullIfAbsent), null);
      await assert.rejects(listAgents(client, held.project), isListAbsent);
      const model = { project: held.project, name: held.model };
      assert.equal(await findVersion(client, model), undefined);
    });
  }

  it("has lists that it fails to send for another reason", async () => {
    const elsewhere = createTransport(parseAddress("http://127.0.0.1:1"));
    const read = listProjects(clientOver(elsewhere)).catch(nullIfAbsent);
    await assert.rejects(read, isKind("unreachable"));
  });

  it("returns a knowledge base with all fields, and creates an agent", async () => {
    const row = await getKnowledgeBase(client, held.project, held.knowledgeBase);
    assert.deepEqual(row["params"], { created_embedding_model: "docs_embedding_model" });
    const { embeddingModel } = await findKnowledgeBase(client, held.project, held.knowledgeBase);
    assert.equal(embeddingModel, "openai · text-embedding-3-small");
    await createAgent(client, held.project, { name: "new_agent" });
    assert.equal(server.requests.at(-1)?.body, '{"agent":{"name":"new_agent"}}');
  });

  it("can return the embedding model as text", async () => {
    const other = await listen((_, response) =>
      sendJson(response, 200, { name: "docs", embedding_model: "my-embeddings" }),
    );
    const own = clientOver(createTransport(other.address));
    const { embeddingModel } = await findKnowledgeBase(own, held.project, "docs");
    await other.close();
    assert.equal(embeddingModel, "my-embeddings");
  });

  describe("is asked", () => {
    const ask = async (agent = held.agent, stop?: AbortController): Promise<StepEvent[]> => {
      const events: StepEvent[] = [];
      const messages = [{ question: "What is a studio?", answer: "" }];
      for await (const event of askAgent(client, held.project, agent, messages, stop?.signal)) {
        events.push(event);
      }
      return events;
    };
    const answer: StepEvent = { type: "answer", format: "markdown", text: held.answer };
    const kinds = (events: StepEvent[]) =>
      events.flatMap((event) => (event.type === "step" ? [event.step.kind] : []));

    for (const stream of ["text/event-stream", "text/plain"] as const) {
      it(`with a stream that is sent as ${stream}`, async () => {
        setOptions({ stream });
        const events = await ask();
        assert.deepEqual(kinds(events), ["thinking", "sql"]);
        assert.deepEqual(events.at(-2), answer);
        assert.deepEqual(server.paths(/completions$/), []);
      });
    }

    for (const stream of [404, 405] as const) {
      it(`without a stream, with a notice, if the stream fails with ${String(stream)}`, async () => {
        setOptions({ stream });
        const events = await ask();
        assert.deepEqual(kinds(events), ["notStreamed"]);
        assert.deepEqual(events.slice(-2), [answer, { type: "end" }]);
        assert.equal(server.paths(/completions$/).length, 1);
        const [streamed, plain] = server.requests.filter(({ path }) =>
          path.includes("completions"),
        );
        assert.equal(plain?.body, streamed?.body);
      });
    }

    it("only once if the stream's path returns the complete answer", async () => {
      setOptions({ stream: "answer" });
      const events = await ask();
      assert.deepEqual(kinds(events), ["notStreamed"]);
      assert.deepEqual(events.slice(-2), [answer, { type: "end" }]);
      assert.deepEqual(server.paths(/completions$/), []);
    });

    for (const stream of ["text/event-stream", 404, 405] as const) {
      it(`without success for a missing agent, if the stream is ${String(stream)}`, async () => {
        setOptions({ stream });
        await assert.rejects(ask("nobody"), isKind("notFound"));
      });
    }

    it("and reports an error that is returned instead of the answer", async () => {
      setOptions({ stream: 405, plain: () => ({ error: "The model is away." }) });
      const failed = { type: "failed", message: "The model is away.", early: false };
      assert.deepEqual((await ask()).slice(-2), [failed, { type: "end" }]);
      setOptions({ plain: () => ({ unheard: 1 }) });
      await assert.rejects(ask(), isKind("badAnswer"));
    });

    it("and stops when aborted", async () => {
      setOptions({ stream: 404 });
      const stop = new AbortController();
      stop.abort();
      await assert.rejects(ask(held.agent, stop), { name: "AbortError" });
    });
  });

  it("can return its answer in any field", () => {
    for (const body of [
      "yes",
      { message: { content: "yes", role: "assistant", trace_id: "" } },
      { message: "yes" },
      { answer: "yes", trace_id: "t" },
      { output: "yes" },
      { content: "yes" },
      { text: "yes" },
      { response: { text: "yes" } },
      { data: { answer: "yes" } },
      { choices: [{ message: { role: "assistant", content: "yes" } }] },
      { messages: [{ content: "no" }, { content: "yes" }] },
      { error: null, answer: "yes" },
    ]) {
      assert.deepEqual(readPlainAnswer(body), { text: "yes" }, JSON.stringify(body));
    }
    assert.deepEqual(readPlainAnswer({ answer: "" }), { text: "" });
    for (const body of [{ error: "no" }, { error: { message: "no" } }]) {
      assert.deepEqual(readPlainAnswer(body), { failed: "no" });
    }
    for (const body of [null, 1, [], {}, { id: 1 }]) assert.equal(readPlainAnswer(body), undefined);
  });

  for (const describe of ["list", "object", "named"] as const) {
    it(`describes a model as ${describe}`, async () => {
      setOptions({ describe });
      const model = { project: held.project, name: held.model };
      const ask = (attribute?: string) => describeModel(client, model, attribute);
      const { info } = await describeFirst(ask);
      assert.deepEqual(info?.[0]?.["accuracies"], { r2_score: 0.98 });
      assert.deepEqual(await modelColumns(ask), {
        inputs: [{ name: "number_of_rooms" }, { name: "sqft" }],
        target: { name: "rental_price" },
      });
      const other = await ask("anything");
      assert.deepEqual(other, [{ attribute: "anything", says: "nothing more" }]);
      const missing = { ...model, name: "nobody" };
      await assert.rejects(describeModel(client, missing), isKind("notFound"));
    });
  }

  for (const wrapped of ["list", "data", "object"] as const) {
    it(`predicts, with its answer as ${wrapped}`, async () => {
      setOptions({ predict: wrapped });
      const model = { project: held.project, name: held.model };
      const body = Buffer.from('{"data":[{"sqft":"411"}]}');
      const [row] = readResponseRows(await predict(client, model, body));
      assert.equal(row && readValueText(row, "rental_price"), "822");
    });
  }
});

describe("a web server that is not MindsDB", () => {
  let server: TestServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  const page = (response: ServerResponse, status: number): void => {
    response.writeHead(status, { "content-type": "text/html" }).end("<html>Hello</html>");
  };
  const others: Record<string, (request: SeenRequest, response: ServerResponse) => void> = {
    "serves a page at every path": (_, response) => page(response, 200),
    "has a page for what is missing": (_, response) => page(response, 404),
    "answers in JSON to everything": (_, response) => sendJson(response, 200, { ok: true }),
    "lets nobody in": (_, response) => sendJson(response, 403, { message: "Forbidden" }),
    "says in a word that everything is missing": (_, response) =>
      sendJson(response, 404, "Not found"),
  };
  for (const [what, answer] of Object.entries(others)) {
    it(`is rejected even if it ${what}`, async () => {
      server = await listen(answer);
      await assert.rejects(findServer(formatAddress(server.address)), isKind("notMindsDB"));
    });
  }

  const doubtful: typeof others = {
    "says in JSON that everything is missing": ({ method, path }, response) =>
      sendJson(response, 404, { status: 404, error: `Cannot ${method} ${path}`, at: Date.now() }),
    // A web server in front of MindsDB may.
    "wants a login of its own": (_, response) => {
      response.writeHead(401, { "www-authenticate": 'Basic realm="x"' });
      response.end('{"error":"Unauthorized"}');
    },
    "asks for a token at every path": (_, response) =>
      sendJson(response, 401, { error: "No token" }),
  };
  for (const [what, answer] of Object.entries(doubtful)) {
    it(`is reported as uncertain if it ${what}`, async () => {
      server = await listen(answer);
      assert.equal((await findServer(formatAddress(server.address))).isCertain, false);
      const known = { statusOnly: true };
      await assert.rejects(findServer(formatAddress(server.address), {}, known), AppError);
    });
  }
});

describe("a server with the full API", () => {
  it("gets no additional requests, and reports a missing agent itself", async () => {
    const sample = await startTestServer();
    const seen: string[] = [];
    const transport = createTransport(parseAddress(sample.url));
    const watched: Transport = {
      send: (request) => {
        seen.push(`${request.method} ${request.path}`);
        return transport.send(request);
      },
      close: () => transport.close(),
    };
    const { isCertain, status } = await findServer(sample.url);
    assert.deepEqual([isCertain, status.version], [true, "26.1.0"]);
    const asking = askAgent(clientOver(watched), "mindsdb", "nobody", [
      { question: "Hello?", answer: "" },
    ]);
    await assert.rejects(asking.next(), { kind: "notFound", message: /nobody/ });
    assert.deepEqual(seen, ["POST /api/projects/mindsdb/agents/nobody/completions/stream"]);
    await transport.close();
    await sample.stop();
  });
});
