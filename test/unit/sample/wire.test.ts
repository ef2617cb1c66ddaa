// Sends recorded requests to the sample server and compares the responses with those of real servers, exactly or by
// shape.
import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { startTestServer } from "../../sampleServer/server.ts";
import type { SampleServer } from "../../../src/sample/server/server.ts";

const fixtures = path.join(import.meta.dirname, "..", "..", "fixtures", "http");

interface Exchange {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  status: number;
  type: string | undefined;
  answer: string;
}

/** Names on the recorded servers and the corresponding names on the sample server. */
const names: Record<string, string> = {
  listing_notes: "rental_guide",
  rentals_kb: "rental_guide",
  rentals_agent: "rental_agent",
  broken: "season_model",
  bad_model: "season_model",
};

function rename(text: string): string {
  return text.replace(/\b(listing_notes|rentals_kb|rentals_agent|broken|bad_model)\b/g, (name) => {
    return names[name] ?? name;
  });
}

/** Reads a recording: request head and body, a line `### RESPONSE`, response head and body. */
function readExchange(file: string): Exchange {
  const text = rename(fs.readFileSync(file, "utf8").replaceAll("\r\n", "\n"));
  const [, asked = "", answered = ""] =
    /^### REQUEST\n([^]*?)\n(?:### TIME.*\n)?### RESPONSE.*\n([^]*)$/.exec(text) ?? [];
  const [askedHead = "", ...askedBody] = asked.split("\n\n");
  const [line = "", ...headerLines] = askedHead.split("\n");
  const [method = "", target = ""] = line.split(" ");
  const headers = Object.fromEntries(
    headerLines.flatMap((header) => {
      const given = header.replace(/^\(curl args: -H (.*)\)$/, "$1");
      const [, name, value] = /^([\w-]+): (.*)$/.exec(given) ?? [];
      return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value]];
    }),
  );
  const [answeredHead = "", ...answeredBody] = answered.split("\n\n");
  return {
    method,
    path: target,
    headers,
    body: askedBody.join("\n\n").trim(),
    status: Number(answeredHead.split(" ")[1]),
    type: /^content-type: (.*)$/im.exec(answeredHead)?.[1],
    answer: answeredBody.join("\n\n").trim(),
  };
}

interface Got {
  status: number | undefined;
  type: string | undefined;
  answer: string;
}

function send(server: SampleServer, exchange: Exchange, token: string): Promise<Got> {
  const { method, headers, body } = exchange;
  const sent: Record<string, string> = { ...headers };
  if (sent["authorization"] !== undefined) {
    sent["authorization"] = sent["authorization"].replace(/<token>|pat_\S+/, token);
  }
  // Recorded requests without a body have no content length.
  if (body !== "" && !sent["transfer-encoding"]) {
    sent["content-length"] = String(Buffer.byteLength(body));
  }
  return new Promise((resolve, reject) => {
    const request = http.request(server.url + encodeURI(exchange.path), { method, headers: sent });
    request.on("response", (response) => {
      let answer = "";
      response.setEncoding("utf8");
      response.on("data", (text: string) => (answer += text));
      response.on("end", () => {
        const { statusCode: status, headers: got } = response;
        resolve({ status, type: got["content-type"], answer: answer.trim() });
      });
    });
    request.on("error", reject);
    request.end(body === "" ? undefined : body);
  });
}

/** Removes times and ports, which always differ. */
function timeless(text: string): string {
  return text
    .replace(/"timestamp": "[^"]*"/, '"timestamp": ""')
    .replace(/127\.0\.0\.1:\d+/g, "host");
}

/** Returns the ordered keys and types of a value, and for lists the shape of the first element. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shape);
  if (typeof value !== "object" || value === null) return value === null ? null : typeof value;
  return Object.entries(value).map(([key, member]) => [key, shape(member)]);
}

/** Recordings whose responses differ only in content: other rows, models or documents. */
const alike: Record<string, RegExp> = {
  "26.1.0":
    /^(001|033|047|048|05[0-248]|06[1-38]|07[4578]|10[01235]|106|11[4-6]|133|14[149]|15[23]|225|231|24[0-3]|302|31[78]|320|33[035]|401|41[01345]|418|42[456])_/,
  "25.14.1":
    /^(05|11b|15|20|21|22[a-f]?|25|25[be]|30d?|31|32|33|37[bc]?|38b?|41|42|43b|45c?|46d|54c|61[eghjn]|62e|64|70[fgj]|73|73e)_/,
};

for (const version of ["26.1.0", "25.14.1"] as const) {
  describe(`sample server compared with recorded ${version}`, () => {
    let server: SampleServer;
    let token: string;

    before(async () => {
      const login =
        version === "26.1.0"
          ? { username: "demo", password: "demo-pass" }
          : { username: "mdbuser", password: "mdbpass-1" };
      const dialect = version === "26.1.0" ? "26" : "25";
      server = await startTestServer({ dialect, login, stepDelay: 0, defaultModel: false });
      const answer = await fetch(`${server.url}/api/login`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(login),
      });
      token = ((await answer.json()) as { token: string }).token;
    });
    after(() => server.stop());

    const files = fs.readdirSync(path.join(fixtures, version)).sort();
    for (const file of files) {
      const isAlike = alike[version]?.test(file) ?? false;
      it(`${path.parse(file).name}: ${isAlike ? "same shape" : "identical"}`, async () => {
        const exchange = readExchange(path.join(fixtures, version, file));
        const usesDeadToken = /bad_token|badtoken|old_token/.test(file);
        const got = await send(server, exchange, usesDeadToken ? "made-up" : token);
        assert.equal(got.status, exchange.status, got.answer);
        assert.equal(got.type, exchange.type);
        if (isAlike) {
          assert.deepEqual(shape(JSON.parse(got.answer)), shape(JSON.parse(exchange.answer)));
        } else {
          assert.equal(timeless(got.answer), timeless(exchange.answer));
        }
      });
    }
  });
}
