// Who may talk to the VS Code that `npm start` serves.
import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { refusal } from "../../scripts/vscode/gate.ts";

function request(headers: Partial<Record<string, string>>): IncomingMessage {
  return { headers, socket: { localPort: 8120 } } as unknown as IncomingMessage;
}

describe("The gate of the served VS Code", () => {
  const ours = [
    { host: "127.0.0.1:8120" },
    { host: "localhost:8120", origin: "http://localhost:8120" },
    { host: "127.0.0.1:8120", "sec-fetch-site": "same-origin", "sec-fetch-dest": "script" },
    { host: "127.0.0.1:8120", "sec-fetch-site": "cross-site", "sec-fetch-dest": "document" },
  ];
  for (const headers of ours) {
    it(`lets through ${JSON.stringify(headers)}`, () => {
      assert.equal(refusal(request(headers)), undefined);
    });
  }

  const foreign = [
    {},
    { host: "evil.example:8120" },
    { host: "127.0.0.1:8121" },
    { host: "127.0.0.1:8120", origin: "http://evil.example" },
    { host: "127.0.0.1:8120", origin: "http://localhost:8120" },
    { host: "127.0.0.1:8120", origin: "null" },
    { host: "127.0.0.1:8120", "sec-fetch-site": "cross-site", "sec-fetch-dest": "iframe" },
    { host: "127.0.0.1:8120", "sec-fetch-site": "same-site", "sec-fetch-dest": "script" },
  ];
  for (const headers of foreign) {
    it(`refuses ${JSON.stringify(headers)}`, () => {
      assert.match(refusal(request(headers)) ?? "", /^Refused: /);
    });
  }
});
