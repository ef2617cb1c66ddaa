// The frames of an agent's stream are passed on unchanged, but never before the agent's key can be redacted.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { askAgent } from "../../../src/mindsdb/agents.ts";
import type { Client } from "../../../src/mindsdb/http/client.ts";
import { Secrets } from "../../../src/mindsdb/redact/redact.ts";

const key = "hunter2-not-like-a-key";
const frames = [
  '{"type": "context", "content": "Creating execution plan..."}',
  `{"type": "error", "content": "Agent streaming failed: refused the credential ${key}"}`,
  '{"type": "end"}',
];

// eslint-disable-next-line @typescript-eslint/require-await
async function* body(): AsyncGenerator<Uint8Array> {
  for (const frame of frames) yield Buffer.from(`data: ${frame}\n\n`);
}

describe("asking an agent", () => {
  it("passes on every frame, and holds back an error until the agent's key is known", async () => {
    const secrets = new Secrets();
    const read = async (): Promise<unknown> => {
      await sleep(50);
      return { name: "a", model: { provider: "openai", api_key: key } };
    };
    const client = {
      stream: () => Promise.resolve({ events: body() }),
      get: read,
      secrets,
    } as unknown;
    const shown: string[] = [];
    const question = [{ question: "?", answer: "" }];
    const onFrame = (frame: string): void => void shown.push(secrets.redact(frame));
    const asking = askAgent(client as Client, "mindsdb", "a", question, undefined, onFrame);
    const failures: string[] = [];
    for await (const event of asking) {
      if (event.type === "failed") failures.push(secrets.redact(event.message));
    }
    assert.match(failures.join(), /^[^]*refused the credential \*{6}$/);
    assert.deepEqual(
      shown,
      frames.map((frame) => frame.replace(key, "******")),
    );
  });
});
