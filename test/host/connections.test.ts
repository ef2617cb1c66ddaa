import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as vscode from "vscode";
import { commands } from "../../src/ids.ts";
import type { AppError } from "../../src/mindsdb/errors.ts";
import { listProjects } from "../../src/mindsdb/projects.ts";
import { startTestServer } from "../sampleServer/server.ts";
import { startFaultProxy, type FaultProxy } from "../proxy/faultProxy.ts";
import { listen, sendJson } from "../unit/mindsdb/httpServer.ts";
import {
  closeAllEditors,
  eventually,
  noteIn,
  until,
  withoutTrust,
  withSetting,
  withWindow,
  workbench,
} from "./workbench.ts";
import { setActiveConnection } from "../../src/shared/host/activeConnection.ts";
import { networkOptions } from "../../src/shared/host/settings.ts";
import { type Account, Connections } from "../../src/connections/host/connections.ts";
import { ConnectionStatusBar } from "../../src/connections/host/connectionStatusBar.ts";

type Sample = Awaited<ReturnType<typeof startTestServer>>;

const account = { username: "ada", password: "canary-password-1" };
const isKind = (kind: string) => (error: unknown) =>
  // The error comes from the extension's bundle, where the class is another object of the same name.
  (error as AppError).name === "AppError" && (error as AppError).kind === kind;

/** Connections of another window, whose keyring answers like this. */
function connectionsOf(list: object[], get: () => Promise<string | undefined>): Connections {
  const globalState = { get: (key: string) => (key === "connections" ? list : {}) };
  return new Connections({ globalState, secrets: { get } } as never, {} as never);
}

describe("Connections", () => {
  let connections: Connections;
  let server: Sample;
  let proxy: FaultProxy;
  let id: string;

  before(async () => ({ connections } = await workbench()));
  beforeEach(async () => {
    server = await startTestServer({ login: account, unguarded: true });
    proxy = await startFaultProxy({ target: server.url });
    ({ id } = await connections.save({ name: "test", address: proxy.url }));
  });
  afterEach(async () => {
    await connections.remove(id);
    await proxy.stop();
    await server.stop();
  });

  const projects = async () => listProjects(await connections.client(id));
  const presets = () => connections.list().filter(({ isPreset }) => isPreset);
  /** Signs in and stays signed in. */
  const signInToStay = async (as: Account): Promise<void> => {
    await connections.signIn(id, as);
    await connections.keepSignedIn(id, as);
  };
  /** The last request of these tests. The window may ask on its own for a server's status. */
  const last = () => proxy.requests.findLast(({ path }) => path.startsWith("/api/databases"));
  const logins = () => proxy.requests.filter(({ path }) => path === "/api/login").length;
  /** Restarts the server, which loses its tokens. */
  const restart = async () => {
    await server.stop();
    server = await startTestServer({ login: account, port: server.port, unguarded: true });
  };

  it("ask the user to sign in, and then send the token in the header", async () => {
    await assert.rejects(projects(), isKind("signInNeeded"));
    await connections.signIn(id, account);
    assert.ok((await projects()).length > 0);
    assert.match(last()?.headers.authorization ?? "", /^Bearer pat_/);
  });

  it("are diagnosed in a report that hides their password where the server shows it", async () => {
    const { password } = account;
    await connections.signIn(id, account);
    const body = JSON.stringify({ environment: "local", mindsdb_version: `26.1.0-${password}` });
    proxy.set({ on: /\/api\/status/, answer: { status: 200, body } });
    const unanswered = noteIn([]);
    const messages = { showWarningMessage: unanswered, showInformationMessage: unanswered };
    await withWindow(messages, async () => {
      await vscode.commands.executeCommand(commands.connectionDiagnose, id);
    });
    const report = await until("the report", () => {
      const text = vscode.window.activeTextEditor?.document.getText() ?? "";
      return text.includes(proxy.url) && text;
    });
    assert.match(report, /26\.1\.0-/);
    assert.ok(!report.includes(password));
    await closeAllEditors();
  });

  it("send the login of a web server in front, bound to the address, until it is forgotten", async () => {
    const login = { username: "nginx", password: "canary-gateway-1" };
    const pair = Buffer.from(`${login.username}:${login.password}`).toString("base64");
    const challenge = { "www-authenticate": "Basic realm=x", "content-type": "text/html" };
    const gateway = await listen(({ path, headers }, response) => {
      if (headers.authorization !== `Basic ${pair}`) {
        return void response.writeHead(401, challenge).end("<html>");
      }
      const isList = path.startsWith("/api/databases");
      const body = isList ? [{ name: "mindsdb", type: "project" }] : { mindsdb_version: "26.1.0" };
      sendJson(response, 200, body);
    });
    const address = gateway.address.origin;
    try {
      await connections.save({ id, name: "test", address });
      await assert.rejects(projects(), (error: AppError) => error.isFromGateway);
      await connections.setGatewayLogin(connections.find(id)!, login);
      assert.deepEqual(
        (await projects()).map(({ name }) => name),
        ["mindsdb"],
      );
      assert.equal((await connections.status(id)).version, "26.1.0");
      assert.equal(await connections.isSignedIn(id), true);
      assert.ok(!connections.secrets(id).redact(`x ${login.password}`).includes("canary"));
      // Another path of the same server may be another server.
      await connections.save({ id, name: "test", address: `${address}/other` });
      assert.equal(await connections.gatewayLogin(connections.find(id)!), undefined);
      await connections.save({ id, name: "test", address });
      await connections.signOut(id);
      assert.equal(await connections.isSignedIn(id), false);
      await assert.rejects(projects(), (error: AppError) => error.isFromGateway);
    } finally {
      await gateway.close();
    }
  });

  it("keep their protection when they are saved again or renamed, and send no change while read-only", async () => {
    const guard = () => {
      const { name, protection, isProduction } = connections.find(id) ?? {};
      return { name, protection, isProduction };
    };
    await connections.signIn(id, account);
    assert.deepEqual(guard(), { name: "test", protection: "none", isProduction: false });
    const client = await connections.client(id);
    await connections.change(id, { protection: "readOnly", isProduction: true });
    await connections.change(id, { name: "guarded" });
    await connections.save({ id, name: "again", address: proxy.url });
    assert.deepEqual(guard(), { name: "again", protection: "readOnly", isProduction: true });
    await connections.signIn(id, account);
    for (const one of [client, await connections.client(id)]) {
      await assert.rejects(one.delete("/api/projects/mindsdb/agents/a"), isKind("readOnly"));
    }
    assert.ok(proxy.requests.every(({ method }) => method !== "DELETE"));
    assert.equal(await connections.allowWrite(id, { what: "Delete everything" }), false);
    assert.ok((await projects()).length > 0);
    await connections.change(id, { protection: "none" });
    assert.equal(await connections.allowWrite(id, { what: "Change something" }), true);
  });

  it("take their protection from the settings, and the strictest where it is not known", async () => {
    const address = "127.0.0.1:9";
    const guards = ["confirm", "readOnly", "readonly", null, 1, undefined];
    const given = guards.map((protection, at) => ({ name: String(at), address, protection }));
    await withSetting("mindsdbWorkbench", "connections", given, async () => {
      await eventually(() =>
        assert.deepEqual(
          presets().map(({ protection }) => protection),
          ["confirm", "readOnly", "readOnly", "readOnly", "readOnly", "none"],
        ),
      );
      const [first] = presets();
      await connections.change(first!.id, { protection: "none", isProduction: true });
      assert.equal(connections.find(first!.id)?.protection, "confirm");
    });
  });

  it("sign in again automatically, once for all requests, if the user wants to stay signed in", async () => {
    await signInToStay(account);
    await restart();
    const lists = await Promise.all([projects(), projects(), projects(), projects()]);
    assert.ok(lists.every((list) => list.length > 0));
    assert.equal(logins(), 2);
  });

  it("ask the user to sign in again if not", async () => {
    await connections.signIn(id, account);
    await restart();
    await assert.rejects(projects(), isKind("signInNeeded"));
    assert.equal(logins(), 1);
  });

  it("forget every secret at sign-out, and tell the server", async () => {
    await signInToStay(account);
    await connections.signOut(id);
    assert.equal(await connections.isSignedIn(id), false);
    await until("the logout", () => proxy.requests.some(({ path }) => path === "/api/logout"));
    await assert.rejects(projects(), isKind("signInNeeded"));
  });

  it("never send a credential to another origin than the one it was saved for", async () => {
    await signInToStay(account);
    const other = await startFaultProxy({ target: server.url });
    try {
      await connections.save({ id, name: "test", address: other.url });
      await assert.rejects(projects(), isKind("signInNeeded"));
      assert.ok(other.requests.length > 0);
      for (const { headers, path } of other.requests) {
        assert.equal(headers.authorization, undefined, path);
        assert.notEqual(path, "/api/login");
      }
    } finally {
      await other.stop();
    }
  });

  it("redact a password that a server's error contains", async () => {
    const body = JSON.stringify({ title: "ValueError", detail: `wrong: ${account.password}` });
    proxy.set({ on: /\/login$/, answer: { status: 500, body } });
    await assert.rejects(connections.signIn(id, account), (error: AppError) => {
      assert.equal(error.message, "wrong: ******.");
      assert.ok(!error.detail?.includes(account.password));
      return true;
    });
  });

  it("report that a connection was removed", async () => {
    const { id: other } = await connections.save({ name: "gone", address: proxy.url });
    await connections.remove(other);
    await assert.rejects(connections.client(other), isKind("notFound"));
    assert.equal(connections.find(other), undefined);
  });

  it("know since when nothing reaches a server, until it answers anything", async () => {
    const before = Date.now();
    await proxy.refuse();
    await assert.rejects(projects(), isKind("unreachable"));
    const since = connections.unreachableSince(id) ?? 0;
    assert.ok(since >= before && since <= Date.now());
    await assert.rejects(connections.status(id), isKind("unreachable"));
    assert.equal(connections.unreachableSince(id), since);
    await proxy.accept();
    await connections.status(id);
    assert.equal(connections.unreachableSince(id), undefined);
    await proxy.refuse();
    // Also a server that is asked for nothing but its status.
    await assert.rejects(connections.status(id), isKind("unreachable"));
    await proxy.accept();
    await assert.rejects(projects(), isKind("signInNeeded"));
    assert.equal(connections.unreachableSince(id), undefined);
  });

  it("stay signed out if an automatic sign-in was under way", async () => {
    await signInToStay(account);
    await restart();
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    proxy.set({ on: /\/login$/, until: held });
    const asked = assert.rejects(projects(), isKind("signInNeeded"));
    await proxy.waitFor(({ path, status }) => path === "/api/login" && status === 0);
    await connections.signOut(id);
    answer();
    await asked;
    assert.equal(await connections.isSignedIn(id), false);
  });

  describe("in two windows", () => {
    const stored = new Map<string, string>();
    /** The keyring takes its time to delete. */
    let isSlow = false;
    /** The server was asked to log out while the token was still stored. */
    let wasToldFirst = false;
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "machines-"));
    after(() => fs.rmSync(folder, { recursive: true }));
    const log = { info: () => undefined, error: () => undefined };
    let windows: Connections[];
    /** The connection's address in all windows, which share VS Code's storage. */
    let address: string;
    const ask = async (window?: Connections) => listProjects(await window!.client(id));
    /** A window whose extension host runs on this machine. */
    const openWindow = (machine: string): Connections => {
      const context = {
        globalState: { get: (key: string) => (key === "connections" ? list() : {}) },
        globalStorageUri: vscode.Uri.file(path.join(folder, machine)),
        secrets: {
          get: (key: string) => Promise.resolve(stored.get(key)),
          store: (key: string, value: string) => Promise.resolve(void stored.set(key, value)),
          delete: async (key: string) => {
            if (isSlow) await sleep(200);
            const isStored = stored.delete(key);
            if (isStored && proxy.requests.some(({ path }) => path === "/api/logout")) {
              wasToldFirst = true;
            }
          },
        },
      };
      return new Connections(context as never, log as never);
    };
    const list = () => [{ id, name: "test", address }];

    beforeEach(async () => {
      stored.clear();
      isSlow = wasToldFirst = false;
      address = proxy.url;
      windows = ["here", "here"].map(openWindow);
      await windows[0]!.signIn(id, account);
      await windows[0]!.keepSignedIn(id, account);
      await Promise.all(windows.map(ask));
    });
    afterEach(() => {
      for (const window of windows) window.dispose();
    });

    it("have no other connection's secrets, and redact their own", () => {
      for (const window of windows) {
        const text = `the password ${account.password}`;
        assert.equal(window.secrets(id).redact(text), "the password ******");
        assert.equal(window.secrets("other").redact(text), text);
      }
    });

    it("are signed out in both at once", async () => {
      isSlow = true;
      await windows[0]!.signOut(id);
      assert.ok(!wasToldFirst);
      assert.deepEqual([...stored.keys()], []);
      await assert.rejects(ask(windows[1]), { kind: "signInNeeded" });
      assert.equal(await windows[1]!.isSignedIn(id), false);
      assert.equal(logins(), 1);
    });

    it("can have another address in one of them", async () => {
      const other = await startFaultProxy({ target: server.url });
      try {
        windows[0]!.useAddress(id, other.url);
        for (const window of windows) await window.status(id);
        const asked = other.requests.map(({ path }) => path);
        assert.deepEqual(asked, ["/api/status"]);
        assert.equal(windows[0]!.find(id)?.address, other.url);
        assert.equal(windows[1]!.find(id)?.address, proxy.url);
      } finally {
        await other.stop();
      }
    });

    it("sign in again once for both", async () => {
      await restart();
      for (const window of windows) assert.ok((await ask(window)).length > 0);
      assert.equal(logins(), 2);
    });

    it("sign in separately on two machines, where the same address is another server", async () => {
      const there = openWindow("there");
      windows.push(there);
      proxy.requests.length = 0;
      await assert.rejects(ask(there), { kind: "signInNeeded" });
      assert.ok(proxy.requests.length > 0);
      for (const { headers } of proxy.requests) assert.equal(headers.authorization, undefined);
      await there.signIn(id, account);
      await there.signOut(id);
      assert.equal(await openWindow("here").isSignedIn(id), true);
    });

    it("never send one window's secret to the address of another", async () => {
      const before = await windows[0]!.client(id);
      const other = await startTestServer({ login: account, token: "token-of-the-other-server" });
      try {
        address = other.url;
        await windows[1]!.signIn(id, account);
        proxy.requests.length = 0;
        proxy.set({ unauthorized: true });
        await listProjects(before);
        const seen = JSON.stringify(proxy.requests.map(({ headers }) => headers));
        assert.ok(proxy.requests.length > 0);
        assert.ok(!seen.includes("token-of-the-other-server"));
      } finally {
        await other.stop();
      }
    });
  });

  describe("over plain HTTP to another machine", () => {
    const address = "http://mindsdb.test";
    const http = vscode.workspace.getConfiguration("http");
    // Every host name resolves to the fault proxy then.
    beforeEach(() => http.update("proxy", proxy.url, vscode.ConfigurationTarget.Global));
    afterEach(() => http.update("proxy", undefined, vscode.ConfigurationTarget.Global));

    it("send no password before the user has confirmed, once for each address", async () => {
      const far = await connections.save({ name: "far", address });
      try {
        assert.equal(connections.plainHttp.isMissing(far), true);
        await assert.rejects(connections.signIn(far.id, account), isKind("refused"));
        // VS Code uses this proxy for its own requests, too.
        const sent = proxy.requests.filter(({ headers }) => headers.host === "mindsdb.test");
        assert.deepEqual(sent, []);
        await connections.plainHttp.give(far);
        await connections.signIn(far.id, account);
        assert.equal(logins(), 1);
        const moved = { ...far, address: "http://other.test" };
        assert.equal(connections.plainHttp.isMissing(moved), true);
      } finally {
        await connections.remove(far.id);
      }
      assert.equal(connections.plainHttp.isMissing(far), true);
    });

    it("do not sign in again automatically with what an earlier version stored", async () => {
      const record = JSON.stringify({ origin: address, token: "dead-token", ...account });
      const far = { id: "far", name: "far", address };
      const own = connectionsOf([far], () => Promise.resolve(record));
      const asked = listProjects(await own.client("far"));
      await assert.rejects(asked, { kind: "signInNeeded" });
      assert.ok(
        proxy.requests.some(({ headers }) => headers.authorization?.includes("dead-token")),
      );
      assert.equal(logins(), 0);
      own.dispose();
    });
  });

  it("stop on the abort signal while a keyring does not respond", async () => {
    const any = { id: "any", name: "any", address: proxy.url };
    const own = connectionsOf([any], () => new Promise(() => undefined));
    const client = await own.client("any");
    const signal = AbortSignal.timeout(50);
    await assert.rejects(client.get("/api/projects/", { signal }), { name: "TimeoutError" });
    await assert.rejects(own.isSignedIn("any", AbortSignal.timeout(50)), { name: "TimeoutError" });
    assert.deepEqual([...(await own.listSignedInIds(AbortSignal.timeout(50)))], ["any"]);
    own.dispose();
  });

  it("do not retry a password that the server has rejected", async () => {
    await signInToStay(account);
    await server.stop();
    const changed = { ...account, password: "another-password" };
    server = await startTestServer({ login: changed, port: server.port, unguarded: true });
    await assert.rejects(projects(), isKind("signInNeeded"));
    await assert.rejects(projects(), isKind("signInNeeded"));
    assert.equal(logins(), 2);
    await signInToStay(changed);
    assert.ok((await projects()).length > 0);
  });

  it("are removed at once even if the server does not respond", async () => {
    await signInToStay(account);
    proxy.set({ silent: true });
    const removed = connections.remove(id);
    await until("the list without it", () => connections.find(id) === undefined);
    const logouts = proxy.requests.filter(({ path }) => path === "/api/logout");
    assert.ok(logouts.every(({ state }) => state === "open"));
    await removed;
  });

  it("do not change other connections when the presets change", async () => {
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    proxy.set({ on: /\/databases/, until: held });
    await connections.signIn(id, account);
    const asked = projects();
    await proxy.waitFor(({ path }) => path.startsWith("/api/databases"));
    const other = [{ id: "other", address: "http://127.0.0.1:9" }];
    await withSetting("mindsdbWorkbench", "connections", other, async () => {
      await until("the preset", () => connections.find("other"));
      answer();
      assert.ok((await asked).length > 0);
      const lists = proxy.requests.filter(({ path }) => path.startsWith("/api/databases"));
      assert.equal(lists.length, 1);
    });
  });

  it("try a locked keyring again", async () => {
    let isLocked = true;
    const get = () => (isLocked ? Promise.reject(new Error("locked")) : Promise.resolve(undefined));
    const own = connectionsOf([{ id: "any", name: "any", address: "https://mindsdb.test" }], get);
    await assert.rejects(own.isSignedIn("any"), /locked/);
    isLocked = false;
    assert.equal(await own.isSignedIn("any"), false);
    own.dispose();
  });

  it("send requests again when a certificate file or a proxy is set", async () => {
    let isAskedAgain = false;
    const subscription = connections.onDidChange((which) => (isAskedAgain ||= !which));
    await withSetting("mindsdbWorkbench", "caFile", "/nowhere.pem", () =>
      until("the lists to be requested again", () => isAskedAgain),
    );
    subscription.dispose();
  });

  it("accept the hosts without a proxy as a list or as a text", async () => {
    for (const hosts of [["a.example", "b.example"], "a.example,b.example", 7]) {
      const taken = hosts === 7 ? "" : "a.example,b.example";
      await withSetting("http", "noProxy", hosts, () =>
        until(taken, () => networkOptions().noProxy?.join(",") === taken),
      );
    }
  });

  it("read presets from the settings, those with one address too, without invalid ones", async () => {
    const { url: address } = proxy;
    const given = [
      { id: "p1", name: "Ada", address },
      { name: "Bo", address },
      { name: 7, id: {}, address },
      { address: "ftp://x" },
      7,
    ];
    await withSetting("mindsdbWorkbench", "connections", given, () =>
      eventually(() =>
        assert.deepEqual(
          presets().map(({ id, name }) => [id, name]),
          [
            ["p1", "Ada"],
            [`preset:${address}`, "Bo"],
            [`preset:${address}#2`, address.replace("http://", "")],
          ],
        ),
      ),
    );
  });

  it("are not asked for their version before the workspace is trusted: a file may have opened them", async () => {
    const asked: string[] = [];
    const listens = () => new vscode.Disposable(() => undefined);
    const bar = new ConnectionStatusBar({
      ...{ onDidChange: listens, onDidChangeServer: listens, unreachableSince: () => undefined },
      find: () => connections.find(id),
      status: (one: string) => {
        asked.push(one);
        return Promise.resolve({ version: "26.1.0" });
      },
    } as unknown as Connections);
    const file = {};
    await withoutTrust(() => {
      setActiveConnection(file, id);
      assert.deepEqual(asked, []);
    });
    setActiveConnection(file, undefined);
    setActiveConnection(file, id);
    assert.deepEqual(asked, [id]);
    setActiveConnection(file, undefined);
    bar.dispose();
  });
});
