// Errors of real servers while agents are created and changed, and the problem that the form shows for each.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { emptyDraft, type AgentDraft } from "../../../src/agents/agentDraft.ts";
import {
  findServerProblem,
  versionTestsModel,
  type SentRequest,
} from "../../../src/agents/serverErrors.ts";
import { errorFromResponse } from "../../../src/mindsdb/http/httpResponse.ts";
import { AppError } from "../../../src/mindsdb/errors.ts";
import { Secrets } from "../../../src/mindsdb/redact/redact.ts";

const fixtures = path.join(import.meta.dirname, "..", "..", "fixtures", "http");

/** The client's error for a recorded response, with redacted keys. */
function recorded(file: string): AppError {
  const text = fs.readFileSync(path.join(fixtures, file), "utf8").replaceAll("\r\n", "\n");
  const answer = text.slice(text.indexOf("### RESPONSE"));
  const status = Number(/^HTTP\/1\.1 (\d+)/m.exec(answer)?.[1]);
  const type = /^content-type: (.*)$/im.exec(answer)?.[1] ?? "";
  return answered(status, answer.slice(answer.indexOf("\n\n") + 2).trim(), type);
}

function answered(status: number, body: string, type = "application/json"): AppError {
  const error = errorFromResponse(status, type, body);
  const secrets = new Secrets();
  return new AppError(error.kind, secrets.redact(error.message), {
    status,
    detail: secrets.redact(error.detail ?? ""),
  });
}

/** An exception of the server's agent library, as the server returns it. */
function crashed(title: string, detail: string): AppError {
  return answered(500, JSON.stringify({ title, detail, message: detail }));
}

/** How a server refuses an update, and what one is about that is not there. */
const refused = (detail: string) =>
  answered(400, JSON.stringify({ title: "Wrong arguments", detail }));
const missing = (detail: string) =>
  answered(404, JSON.stringify({ title: "Resource not found", detail }));

const own = { own: true, provider: "openai", modelName: "m", baseUrl: "" };
const asked = (draft: Partial<AgentDraft>, more: Partial<SentRequest> = {}): SentRequest => ({
  draft: { ...emptyDraft("mindsdb"), name: "x", model: own, ...draft },
  known: { items: [], hasDefaultModel: false, tables: {}, knowledgeBases: {} },
  hasKey: true,
  ...more,
});
const before: AgentDraft = { ...emptyDraft("mindsdb"), name: "x", model: own };
const byDefault: Partial<AgentDraft> = { model: { ...own, own: false } };
const gone = (field: "tables" | "knowledgeBases", entry: string): SentRequest["known"] => {
  return { ...asked({}).known, [field]: { [entry]: 0 } };
};
const status = (code: number, message = "No.") =>
  crashed("ModelHTTPError", `status_code: ${code}, model_name: m, body: {'message': '${message}'}`);

const hasTables = (...entries: string[]): Partial<SentRequest> => ({
  known: {
    ...asked({}).known,
    tables: Object.fromEntries(entries.map((entry) => [entry, 1])),
  },
});
/** What SQL answers to the same creation. */
const bySql = (message: string) => new AppError("sql", message);

type Case = [what: string, error: AppError, says: RegExp, asked?: SentRequest];
/** By the field that shows the problem. */
const table: Record<string, Case[]> = {
  name: [
    ["a name that is taken", recorded("26.1.0/306_agent_exists.txt"), /name x is already used/],
    [
      "a name that is taken, on 25.14.1",
      recorded("25.14.1/61b_agent_create_again.txt"),
      /already used/,
    ],
  ],
  project: [
    [
      "a project that is gone",
      recorded("26.1.0/315_agent_unknown_project.txt"),
      /project nope is not on the server/,
      asked({ project: "nope" }),
    ],
  ],
  provider: [
    [
      "an unknown provider",
      recorded("26.1.0/309_agent_bad_provider.txt"),
      /Check the provider zzz/,
      asked({ model: { ...own, provider: "zzz" } }),
    ],
    [
      "a parameter that the model does not accept",
      recorded("26.1.0/316_agent_temperature.txt"),
      /gave no reason/,
    ],
    ["too many requests", status(429), /rate-limiting requests/],
    [
      "a provider that this edition lacks",
      answered(401, JSON.stringify({ title: "Unavailable to free users", detail: "The model…" })),
      /does not offer openai/,
    ],
    [
      "a provider that is refused in an update",
      refused("Unknown provider: zzz"),
      /zzz/,
      asked({ model: { ...own, provider: "zzz" } }, { before }),
    ],
  ],
  model: [
    [
      "no model anywhere",
      recorded("26.1.0/310_agent_no_model.txt"),
      /Select a custom model/,
      asked({ model: { ...own, own: false } }),
    ],
    [
      "a default model that the server does not have, by SQL",
      bySql("Invalid model name: None. Please define a supported llm provider"),
      /can't use a default model/,
      asked(byDefault),
    ],
    [
      "a parameter that the model does not accept, copied from another agent",
      recorded("26.1.0/316_agent_temperature.txt"),
      /does not accept the setting temperature for an agent's model/,
      asked({}, { settings: ["temperature"] }),
    ],
    [
      "a parameter that the model does not accept, in an update",
      refused(
        "Failed to create model instance: OpenAIChatModel.__init__() got an unexpected keyword argument 'temperature'",
      ),
      /does not accept the setting temperature for an agent's model/,
      asked({}, { before }),
    ],
    [
      "a parameter that an older server accepted",
      recorded("26.1.0/316_agent_temperature.txt"),
      /does not accept the setting temperature, top_p for/,
      asked({}, { settings: ["temperature", "top_p"] }),
    ],
    ["a default model that fails", status(401), /failed \(HTTP 401\)/, asked(byDefault)],
    [
      "a default model that cannot be reached",
      crashed("ModelAPIError", "Connection error."),
      /can't reach its default model/,
      asked(byDefault),
    ],
    [
      "a default model that cannot call tools",
      crashed("UnexpectedModelBehavior", "Exceeded maximum retries (1) for output validation"),
      /can call tools/,
      asked(byDefault),
    ],
  ],
  apiKey: [
    [
      "a key that the provider refuses",
      recorded("26.1.0/311_agent_bad_key.txt"),
      /openai does not accept this key/,
    ],
    [
      "a key that is missing everywhere",
      recorded("26.1.0/309_agent_bad_provider.txt"),
      /no key of its own for openai/,
      asked({}, { hasKey: false }),
    ],
    ["a key without permission", status(403), /does not accept this key/],
    [
      "a missing key in an update",
      refused("Set the `OPENAI_API_KEY` or pass it"),
      /Enter one/,
      asked({}, { before }),
    ],
    [
      "a missing key of a provider that needs one, with a base URL",
      recorded("26.1.0/309_agent_bad_provider.txt"),
      /no key of its own for anthropic/,
      asked({ model: { ...own, provider: "anthropic", baseUrl: "http://h" } }, { hasKey: false }),
    ],
    [
      "a deleted agent whose key should be copied",
      recorded("26.1.0/305_agent_unknown.txt"),
      /The agent other no longer exists, so its key/,
      asked({}, { modelOf: "other" }),
    ],
  ],
  tables: [
    [
      "a table that does not exist",
      recorded("26.1.0/313_agent_unknown_table.txt"),
      /files\.zzz/,
      asked({ tables: ["files.zzz"] }, { known: gone("tables", "files.zzz") }),
    ],
    [
      "a table that came after the source's first agent, by SQL",
      bySql("No tables found: ['files.late']"),
      /these are newer: files\.late\. Select files\.\* instead, or add an older table/,
      asked({ tables: ["files.late"] }, hasTables("files.late")),
    ],
    [
      "a pattern for such a table",
      bySql("No tables found: ['files.la*']"),
      /these are newer: files\.la\*\. Select files\.\*/,
      asked({ tables: ["files.la*"] }, hasTables("files.la*")),
    ],
    [
      "such tables of two sources, in an update",
      refused("No tables found: ['a.x', 'b c.y']"),
      /these are newer: a\.x, `b\.c`\.y\. Select a\.\*, `b\.c`\.\* instead/,
      asked({ tables: ["a.x", "`b.c`.y"] }, { before, ...hasTables("a.x", "`b.c`.y") }),
    ],
    [
      "a table that does not exist, by SQL",
      bySql("No tables found: ['files.zzz']"),
      /found none of these tables: files\.zzz/,
      asked({ tables: ["files.zzz"] }, { known: gone("tables", "files.zzz") }),
    ],
    [
      "a data source that does not exist, by SQL",
      bySql("There is no integration with name 'nowhere'"),
      /^nowhere is not a data source/,
      asked({ tables: ["nowhere.*"] }),
    ],
    [
      "a table that is gone, in an update",
      recorded("26.1.0/319_agent_update_bad_table.txt"),
      /files\.zzz/,
      asked({ tables: ["files.zzz"] }, { before }),
    ],
    [
      "a data source that does not exist",
      crashed("EntityNotExistsError", "There is no integration with name 'nowhere': unknown"),
      /^nowhere is not a data source/,
      asked({ tables: ["files.*", "nowhere.*"] }),
    ],
    [
      "a data source that does not exist, in an update",
      missing("There is no integration with name 'nowhere': unknown"),
      /^nowhere is not a data source/,
      asked({ tables: ["nowhere.*"] }, { before }),
    ],
  ],
  form: [
    [
      "a setting that agents do not have, by SQL, not blamed on the model",
      bySql("Problem with agent parameters: Parameter 'verbose' is not allowed."),
      /'verbose' is not allowed/,
    ],
    [
      "tables that the server may not know, where SQL cannot be asked",
      recorded("26.1.0/313_agent_unknown_table.txt"),
      /gave no reason\. Check its model and its tables\.$/,
      asked({ tables: ["files.late"] }, hasTables("files.late")),
    ],
    [
      "an agent that is gone",
      recorded("25.14.1/70i_agent_put_unknown.txt"),
      /The agent x no longer exists/,
      asked({}, { before }),
    ],
    [
      "an agent that is gone, when it is read",
      recorded("26.1.0/305_agent_unknown.txt"),
      /The agent x no longer exists/,
      asked({}, { before }),
    ],
    [
      "a legacy skill that does not exist, in an update",
      missing("Skill with name does not exist: s"),
      /^The server refused: Skill with name does not exist: s\.$/,
      asked({}, { before }),
    ],
    [
      "an agent that is gone, while it is renamed",
      recorded("25.14.1/70i_agent_put_unknown.txt"),
      /The agent x no longer exists/,
      asked({ name: "new" }, { before }),
    ],
    [
      "a project that is gone, in an update",
      recorded("26.1.0/315_agent_unknown_project.txt"),
      /The project nope is no longer on the server/,
      asked({ project: "nope" }, { before: { ...before, project: "nope" } }),
    ],
    [
      "an unknown error",
      crashed("KeyError", "'zzz'\nTraceback (most recent call last):\n  File \"/srv/x.py\""),
      /The server refused: KeyError: 'zzz'\./,
    ],
  ],
  knowledgeBases: [
    [
      "a knowledge base that does not exist",
      recorded("26.1.0/314_agent_unknown_kb.txt"),
      /mindsdb\.zzz/,
      asked({ knowledgeBases: ["mindsdb.zzz"] }, { known: gone("knowledgeBases", "mindsdb.zzz") }),
    ],
  ],
  baseUrl: [
    [
      "a model that cannot be reached",
      crashed("ModelAPIError", "Connection error."),
      /can't reach http:\/\/127\.0\.0\.1:9\/v1/,
      asked({ model: { ...own, baseUrl: "http://reader:made-up@127.0.0.1:9/v1" } }),
    ],
    ["a model that fails", status(503), /HTTP 503/],
    [
      "a web page instead of a model",
      crashed(
        "UnexpectedModelBehavior",
        "Invalid response from openai chat completions endpoint, expected JSON data",
      ),
      /There is no model that agents can use at http:\/\/h\/v1\./,
      asked({ model: { ...own, baseUrl: "http://h/v1" } }),
    ],
    [
      "a model address that redirects",
      crashed("ModelAPIError", "Error code: 302"),
      /There is no model that agents can use at http:\/\/h\/v1\./,
      asked({ model: { ...own, baseUrl: "http://h/v1" } }),
    ],
    [
      "an unreachable provider that ignores the base URL",
      crashed("ConnectError", "All connection attempts failed"),
      /can't reach google/,
      asked({ model: { ...own, provider: "google", baseUrl: "http://h/v1" } }),
    ],
  ],
  modelName: [
    ["an unknown model", status(404), /openai has no model m/],
    ["a request that the model refuses", status(400, "No tools."), /No tools\./],
    [
      "a refusal with escaped quotes",
      status(400, 'I can\\\'t call "tools".'),
      /request: I can't call "tools"\./,
    ],
    [
      "a model that cannot call tools",
      crashed("UnexpectedModelBehavior", "Exceeded maximum retries (1) for output validation"),
      /can call tools/,
    ],
  ],
};

describe("Server errors about an agent", () => {
  const cases = Object.entries(table).flatMap(([field, list]) =>
    list.map((one) => [field, ...one] as const),
  );
  for (const [field, what, error, says, given = asked({})] of cases) {
    it(`${what}: shown at ${field}`, () => {
      const problem = findServerProblem(error, given);
      assert.ok(problem);
      assert.equal(problem.field, field);
      assert.notEqual(problem.isWarning, true);
      const sentence = problem.text;
      assert.match(sentence, says);
      assert.match(sentence, /\.$/);
      assert.doesNotMatch(sentence, /sk-|Traceback|status_code|\{\d\}/);
    });
  }

  it("ignores errors that are not about the agent", () => {
    for (const kind of [
      "unreachable",
      "signInNeeded",
      "timeout",
      "notMindsDB",
      "cutOff",
    ] as const) {
      assert.equal(findServerProblem(new AppError(kind, "No."), asked({})), undefined);
    }
  });

  it("accepts a response that is not JSON", () => {
    const problem = findServerProblem(
      new AppError("serverFault", "It failed.", { detail: "<html>" }),
      asked({}),
    );
    assert.match(problem?.text ?? "", /^The server refused: /);
  });
});

it("knows the versions that test an agent's model when it is created", () => {
  const versions = ["25.14.1", "26.0.2", "26.1.0", "26.2", "27.0", undefined];
  assert.deepEqual(
    versions.map((version) => versionTestsModel(version)),
    [false, false, true, true, true, true],
  );
});
