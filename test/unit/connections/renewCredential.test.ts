// Signing in again with what is stored, on a server over HTTP; the store and the log are stand-ins.
import assert from "node:assert/strict";
import { renewCredential } from "../../../src/connections/host/renewCredential.ts";
import type { SecretStore } from "../../../src/connections/host/secretStore.ts";
import { createTransport } from "../../../src/mindsdb/http/transport.ts";
import { Secrets } from "../../../src/mindsdb/redact/redact.ts";
import type { Log } from "../../../src/shared/host/log.ts";
import { listen } from "../mindsdb/httpServer.ts";

describe("Signing in again", () => {
  it("hides the password where the server repeats it in an error, also in the log", async () => {
    const secret = { username: "ada", password: "canary-renew-1" };
    const server = await listen(({ body }, response) => {
      response.writeHead(500, { "content-type": "application/json" });
      response.end(JSON.stringify({ title: "Error", detail: `No database for ${body}` }));
    });
    const transport = createTransport(server.address);
    const secrets = new Secrets();
    secrets.addCredential(secret.password);
    const logged: unknown[] = [];
    try {
      const renewing = renewCredential(
        {
          owner: { id: "c", address: server.address },
          transport,
          secretStore: {
            reread: () => Promise.resolve({ secret, isNews: false }),
          } as unknown as SecretStore,
          secrets,
          refused: new WeakSet(),
          needsConsent: () => false,
          onChanged: () => undefined,
          log: { error: (...all: unknown[]) => void logged.push(all) } as unknown as Log,
        },
        { token: "old" },
      );
      await assert.rejects(renewing, (error: Error) => {
        assert.match(error.message, /No database for/);
        assert.doesNotMatch(error.message, /canary/);
        return true;
      });
      const [[sentence, error] = []] = logged as [string, Error][];
      assert.match(
        `${sentence}: ${error?.message}`,
        /^Signing in again at .* failed: .*No database/,
      );
      assert.doesNotMatch(error!.message, /canary/);
    } finally {
      await transport.close();
      await server.close();
    }
  });
});
