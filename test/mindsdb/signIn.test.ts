// Signing in to real servers, in the three ways a server can be set up, and to one that wants no sign-in.
import assert from "node:assert/strict";
import { parseAddress } from "../../src/mindsdb/http/serverAddress.ts";
import type { Client } from "../../src/mindsdb/http/client.ts";
import { getStatus, login, logout } from "../../src/mindsdb/http/login.ts";
import { listProjects } from "../../src/mindsdb/projects.ts";
import type { Credential } from "../../src/mindsdb/http/session.ts";
import { createTransport, type Transport } from "../../src/mindsdb/http/transport.ts";
import { ACCOUNT, authOf, fixture, versions } from "./fixture.ts";
import { startMindsDB, type Auth, type RealServer } from "../../scripts/mindsdb/server.ts";
import { clientOver } from "../clientOver.ts";

for (const version of versions) {
  describe(`MindsDB ${version}, signing in`, () => {
    let open: RealServer;
    let byMode: Record<Auth["mode"], RealServer>;
    before(async () => {
      const [token, session, withoutAuth] = await Promise.all([
        startMindsDB({ version, auth: authOf("token") }),
        startMindsDB({ version, auth: authOf("session") }),
        startMindsDB({ version }),
      ]);
      open = withoutAuth;
      byMode = { token, session, session_or_token: fixture(version).server };
    });
    after(() => Promise.all([byMode.token.stop(), byMode.session.stop(), open.stop()]));

    for (const mode of ["token", "session", "session_or_token"] as const) {
      describe(`in mode ${mode}`, () => {
        const kind = mode === "session" ? "cookie" : "token";
        let transport: Transport;
        let credential: Credential;
        before(() => (transport = createTransport(parseAddress(byMode[mode].url))));
        after(() => transport.close());

        it("is required", async () => {
          const { authEnabled, confirmed } = await getStatus(transport);
          assert.deepEqual({ authEnabled, confirmed }, { authEnabled: true, confirmed: false });
          await assert.rejects(listProjects(clientOf(transport)), { kind: "signInNeeded" });
        });

        it("fails with a wrong password", async () => {
          const attempt = login(transport, { ...ACCOUNT, password: "wrong" });
          await assert.rejects(attempt, { kind: "signInRefused" });
        });

        it(`gives a ${kind} that opens the server`, async () => {
          credential = await login(transport, ACCOUNT);
          assert.deepEqual(Object.keys(credential), [kind]);
          assert.equal((await getStatus(transport, { credential })).confirmed, true);
          const projects = await listProjects(clientOf(transport, credential));
          assert.deepEqual(projects, [{ name: "mindsdb", isDefault: true }]);
        });

        if (mode === "token") {
          // These servers stumble over the session that they do not have in this mode.
          it("cannot be revoked, because sign-out fails", async () => {
            await assert.rejects(logout(transport, credential), { kind: "serverFault" });
            assert.equal((await getStatus(transport, { credential })).confirmed, true);
          });
        } else {
          it(`is followed by a sign-out, which ends ${kind === "token" ? "the token" : "no cookie"}`, async () => {
            await logout(transport, credential);
            const { confirmed } = await getStatus(transport, { credential });
            assert.equal(confirmed, kind === "cookie");
          });
        }
      });
    }

    it("is not needed if the server does not require it", async () => {
      const transport = createTransport(parseAddress(open.url));
      try {
        assert.equal((await getStatus(transport)).authEnabled, false);
        const projects = await listProjects(clientOf(transport));
        assert.deepEqual(projects, [{ name: "mindsdb", isDefault: true }]);
      } finally {
        await transport.close();
      }
    });
  });
}

/** A client that has this credential and cannot get another. */
function clientOf(transport: Transport, credential?: Credential): Client {
  return clientOver(transport, { credential });
}
