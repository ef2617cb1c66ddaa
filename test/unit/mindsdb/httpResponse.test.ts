import assert from "node:assert/strict";
import { mock } from "node:test";
import { responseLimits } from "../../../src/mindsdb/http/responseBody.ts";
import {
  errorFromResponse,
  readJson,
  withoutTraceback,
} from "../../../src/mindsdb/http/httpResponse.ts";
import { isAppError, type AppErrorKind } from "../../../src/mindsdb/errors.ts";
import type { HttpResponse } from "../../../src/mindsdb/http/transport.ts";

const json = "application/json";
const problem = "application/problem+json";

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield Buffer.from(text);
}
const answer = (status: number, type: string, text: string): HttpResponse => ({
  status,
  headers: { "content-type": type },
  body: bytes(text),
});

const read = (response: HttpResponse): Promise<unknown> => readJson(response, responseLimits.small);

describe("error responses", () => {
  const cases: [string, number, string, string, AppErrorKind, RegExp][] = [
    [
      "a handled error",
      404,
      problem,
      `{"title":"Agent not found","detail":"Agent with name nope does not exist","timestamp":"2026-11-21 08:59:07.650909"}`,
      "notFound",
      /^Agent with name nope does not exist\.$/,
    ],
    [
      "an unhandled exception",
      500,
      json,
      `{"title":"KeyError","detail":"'trace_id'","message":"'trace_id'"}`,
      "serverFault",
      /^KeyError: 'trace_id'\.$/,
    ],
    [
      "a traceback, which stays in the log",
      500,
      json,
      JSON.stringify({
        title: "Exception",
        detail:
          '[engine/model]: ValueError: bad row\n\nTraceback (most recent call last):\n  File "/srv/x.py", line 1\nValueError: bad row',
      }),
      "serverFault",
      /^\[engine\/model\]: ValueError: bad row\.$/,
    ],
    ["a sub-app's error", 429, json, `{"detail":"Too many"}`, "refused", /^Too many\.$/],
    ["the framework's message", 415, json, `{"message":"Wrong type"}`, "refused", /^Wrong type\.$/],
    [
      "a name that is taken",
      409,
      problem,
      `{"title":"Agent already exists","detail":"x exists"}`,
      "conflict",
      /^x exists\.$/,
    ],
    [
      "a missing login",
      401,
      problem,
      `{"title":"Unauthorized","detail":"Authorization is required"}`,
      "signInNeeded",
      /sign in/,
    ],
    ["a bare 401", 401, "text/plain", "", "signInNeeded", /sign in/],
    [
      "a 401 that no login cures",
      401,
      problem,
      `{"title":"Unavailable to free users","detail":"Not here"}`,
      "refused",
      /^Not here\.$/,
    ],
    [
      "nginx's limit",
      413,
      "text/html",
      "<html><center>nginx",
      "tooLarge",
      /too large for the proxy/,
    ],
    ["a gateway's limit", 413, json, '{"message":"Too long"}', "tooLarge", /for the proxy/],
    ["a limit in plain text", 413, "text/plain", "Payload Too Large", "tooLarge", /for the proxy/],
    ["a web page", 404, "text/html", "<!doctype html><title>x</title>", "notMindsDB", /web page/],
    ["a gateway's page", 502, "text/html", "<html>Bad Gateway</html>", "unreachable", /gateway/],
    ["a proxy", 407, "text/html", "<html>", "proxy", /proxy/],
    ["nothing at all", 500, "", "", "serverFault", /HTTP 500/],
    ["JSON of another shape", 500, json, "[1,2]", "serverFault", /HTTP 500/],
  ];
  for (const [name, status, type, text, kind, message] of cases) {
    it(`reads ${name}`, () => {
      const error = errorFromResponse(status, type, text);
      assert.equal(error.kind, kind);
      assert.match(error.message, message);
      assert.doesNotMatch(error.message, /Traceback|\/srv\//);
      assert.equal(error.status, status);
      assert.equal(error.detail, text);
    });
  }

  it("leaves out the statement that SQLAlchemy appends, with all its values", () => {
    const locked = "(sqlite3.OperationalError) database is locked";
    const end = "\n[SQL: INSERT INTO file (name) VALUES (?)]\n[parameters: ('homes', 'made up')]";
    assert.equal(withoutTraceback(locked + end), locked);
    assert.equal(
      withoutTraceback(`First issue Session.rollback(). ${locked}${end}`),
      `First issue Session.rollback(). ${locked}`,
    );
    assert.equal(
      withoutTraceback(
        "(psycopg2.Error) no\n[SQL: SELECT 1]\nTraceback (most recent call last):\nx",
      ),
      "(psycopg2.Error) no",
    );
    assert.equal(withoutTraceback("the word [SQL: stays"), "the word [SQL: stays");
  });

  it("keeps the last line of a traceback", () => {
    const text = 'Traceback (most recent call last):\n  File "x"\nRuntimeError: no';
    assert.equal(withoutTraceback(text), "RuntimeError: no");
  });

  it("says what an engine that lacks something does not", () => {
    const text = "NotImplementedError: , raised at: /srv/engine.py#12";
    assert.equal(withoutTraceback(text), "The engine can't do this.");
    assert.equal(withoutTraceback("NotImplementedError: no GPU"), "NotImplementedError: no GPU");
  });
});

describe("responses", () => {
  it("are parsed as JSON, whatever their content type", async () => {
    assert.deepEqual(await read(answer(200, "text/plain", `{"a":1}`)), { a: 1 });
  });

  it("keep every digit of numbers that are too long, as text", async () => {
    const text = `{"ids":[9007199254740993,-12345678901234567890,9007199254740991],"x":1e400}`;
    assert.deepEqual(await read(answer(200, json, text)), {
      ids: ["9007199254740993", "-12345678901234567890", 9007199254740991],
      x: Infinity,
    });
  });

  it("are parsed without a function for each value, with numbers that are too long too", async () => {
    const parse = mock.method(JSON, "parse");
    try {
      await read(answer(200, json, `{"ids":[9007199254740993]}`));
      assert.deepEqual(
        parse.mock.calls.map((call) => call.arguments.length),
        [1],
      );
    } finally {
      parse.mock.restore();
    }
  });

  it("have at most a million values", () => {
    for (const { maxValues } of Object.values(responseLimits)) assert.ok(maxValues <= 1_000_000);
  });

  for (const announced of ["0", "7", "3000000", "99999999999999", "-1", "1.5", "seven"]) {
    it(`are read whole when the server announces ${announced} bytes`, async () => {
      const response = answer(200, json, JSON.stringify({ a: "long ".repeat(10_000) }));
      response.headers["content-length"] = announced;
      assert.deepEqual(await read(response), { a: "long ".repeat(10_000) });
    });
  }

  for (const [name, response] of [
    ["a web page", answer(200, "text/html", "<html>hello</html>")],
    ["a cut body", answer(200, json, `{"a":`)],
    ["a redirect", answer(308, "text/html", "<html>moved</html>")],
  ] as const) {
    it(`with ${name} instead of JSON are not from a MindsDB server`, async () => {
      await assert.rejects(read(response), (error) => isAppError(error, "notMindsDB"));
    });
  }
});
