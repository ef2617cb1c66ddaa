// A user adds servers, signs in, stays signed in or signs in again, and signs out.
import assert from "node:assert/strict";
import http from "node:http";
import type net from "node:net";
import { eventually } from "./lib/eventually.ts";
import { expectText, expectValue } from "./lib/expect.ts";
import { itLeavesNoSecrets, useServer, useWorkbench } from "./lib/journey.ts";
import { canaries } from "./lib/servers.ts";

const { username, password, token } = canaries;

describe("Connecting and signing in", () => {
  const open = useServer();
  const guarded = useServer({ signIn: "session_or_token" });
  const withCookies = useServer({ signIn: "session" });
  const onAnotherMachine = useServer({ signIn: "session_or_token" });
  // Other host names resolve to this proxy.
  const journey = useWorkbench(() => ({
    settings: { "http.proxy": `http://${onAnotherMachine.address}` },
  }));

  async function add(address: string): Promise<void> {
    await journey.workbench.command("MindsDB: Add Connection…");
    await journey.workbench.quickInput.enter("The address of a MindsDB server", address);
  }

  const signIn = () => journey.workbench.quickInput.signIn({ username, password }, { keep: false });

  async function waitForMessage(sentence: string | RegExp): Promise<void> {
    await eventually(async () => {
      const message = await journey.workbench.quickInput.message();
      if (typeof sentence === "string") assert.equal(message, sentence);
      else assert.match(message, sentence);
    });
  }

  const roots = () => journey.tree.children([]);
  const projects = (connection: string) =>
    eventually(async () => {
      const found = await journey.tree.children([connection]);
      assert.deepEqual(found, ["mindsdb", "support", "Data", "ML Engines", "Running Queries"]);
    });

  /** The sign-in and sign-out items of a connection's menu. */
  async function inMenu(connection: string): Promise<string[]> {
    const items = await journey.tree.contextMenuItems([connection]);
    return items.filter((item) => item.startsWith("Sign "));
  }

  describe("with an address", () => {
    it("adds a server once, however its address is written", async () => {
      const { address } = open;
      await add(address);
      await projects(address);
      const byName = `localhost:${open.proxy.port}`;
      await add(byName);
      await journey.workbench.dialogs.toast(`${address} already exists.`);
      await eventually(async () => {
        assert.deepEqual(await roots(), [address]);
      });
      const selected = journey.tree.sideBar.locator(".monaco-list-row.selected .label-name");
      await expectText(selected, address);
    });

    it("asks for the login of a web server in front of it", async () => {
      const login = { username: "nginx", password: "a passphrase" };
      const pair = Buffer.from(`${login.username}:${login.password}`).toString("base64");
      const gateway = http.createServer((request, response) => {
        if (request.headers.authorization !== `Basic ${pair}`) {
          const headers = { "www-authenticate": "Basic realm=x", "content-type": "text/html" };
          return void response.writeHead(401, headers).end("<html>");
        }
        const { method, url: path, headers } = request;
        const to = { method, path, headers };
        request.pipe(
          http.request(open.behind, to, (answer) => {
            response.writeHead(answer.statusCode ?? 502, answer.headers);
            answer.pipe(response);
          }),
        );
      });
      await new Promise<void>((resolve) => gateway.listen(0, "127.0.0.1", resolve));
      const address = `127.0.0.1:${(gateway.address() as net.AddressInfo).port}`;
      const { quickInput } = journey.workbench;
      try {
        await add(`${address}/editor`);
        const asks = `Username for the web server at http://${address}/editor`;
        await quickInput.enter(asks, login.username);
        const wants = "Both are stored in VS Code's secret storage and sent with each request.";
        await quickInput.enter(`Password for ${login.username}. ${wants}`, "wrong");
        await waitForMessage("The username or the password is wrong.");
        await quickInput.box.fill(login.password);
        await quickInput.press("Enter");
        await projects(address);
        await eventually(async () => {
          assert.deepEqual(await inMenu(address), ["Sign Out"]);
        });
        await journey.tree.contextMenu([address], "Remove Connection…");
        const question = `Remove the connection to ${address}?`;
        await journey.workbench.dialogs.modal(question, "Remove");
        await eventually(async () => assert.ok(!(await roots()).includes(address)));
      } finally {
        gateway.closeAllConnections();
        gateway.close();
      }
    });

    it("cancels with Escape while the server is silent", async () => {
      guarded.proxy.set({ silent: true });
      guarded.forget();
      await add(guarded.address);
      await guarded.proxy.waitFor(({ state }) => state === "open");
      await journey.workbench.quickInput.cancel();
      await guarded.proxy.waitFor(({ state }) => state === "aborted");
      guarded.proxy.set();
      await eventually(async () => {
        assert.ok(!(await roots()).includes(guarded.address));
      });
    });
  });

  describe("with a server that requires a sign-in", () => {
    const group = (name: string) => [guarded.address, "mindsdb", name];

    it("asks for username and password, and again after a wrong password", async () => {
      guarded.forget();
      await add(guarded.address);
      const { quickInput } = journey.workbench;
      await quickInput.tryAccount({ username: "nobody", password });
      await waitForMessage("The username or the password is wrong.");
      await quickInput.back();
      await quickInput.expect("Username for");
      await expectValue(quickInput.box, "nobody");
      await quickInput.tryAccount({ username, password: "wrong" });
      await waitForMessage("The username or the password is wrong.");
      await quickInput.enter("(2/3)", password);
      await quickInput.answerKeep(true);
      await projects(guarded.address);
      await eventually(() => assert.equal(guarded.requests(/login/).length, 3));
      assertSentWith(`Bearer ${token}`);
    });

    it("stays signed in after a reload", async () => {
      await journey.tree.expand(group("Agents"));
      await journey.tree.find([...group("Agents"), "rental_agent"]);
      guarded.forget();
      await journey.reload();
      await journey.tree.expand(group("Agents"));
      await journey.tree.find([...group("Agents"), "rental_agent"]);
      assert.deepEqual(guarded.requests(/login/), []);
      assertSentWith(`Bearer ${token}`);
      await eventually(async () => {
        assert.deepEqual(await inMenu(guarded.address), ["Sign Out"]);
      });
    });

    it("offers neither Sign In nor Sign Out if the server requires no login", async () => {
      await journey.tree.contextMenu([guarded.address], "Sign Out");
      await signInNode();
      await eventually(async () => {
        assert.deepEqual(await inMenu(open.address), []);
        assert.deepEqual(await inMenu(guarded.address), ["Sign In…"]);
      });
      const { quickInput } = journey.workbench;
      await eventually(async () => {
        assert.equal(await quickInput.offersCommand("MindsDB: Sign In…"), true);
        assert.equal(await quickInput.offersCommand("MindsDB: Sign Out"), false);
      });
      await journey.workbench.command("MindsDB: Sign In…");
      await journey.workbench.quickInput.expect("Sign In");
      await journey.workbench.quickInput.pick("Which connection?", open.address);
      await journey.workbench.dialogs.toast(`${open.address} does not require you to sign in.`);
    });

    it("asks with one button if the user did not want to stay signed in", async () => {
      await signInFromTheTree();
      await projects(guarded.address);

      guarded.proxy.set({ unauthorized: true });
      guarded.forget();
      await journey.tree.inlineAction([guarded.address], "Refresh");
      await signInNode();
      assert.deepEqual(guarded.requests(/login/), []);
      await signInFromTheTree();
      await projects(guarded.address);
      await eventually(() => assert.equal(guarded.requests(/login/).length, 1));
    });

    async function signInFromTheTree(): Promise<void> {
      const { label } = await signInNode();
      await journey.tree.click([guarded.address, label]);
      await signIn();
    }

    function signInNode() {
      return journey.tree.find([guarded.address, "Signed out"]);
    }

    function assertSentWith(authorization: string): void {
      const sent = guarded.logged(/databases|projects/).filter(({ status }) => status === 200);
      assert.ok(sent.length > 0);
      for (const { headers } of sent) assert.equal(headers.authorization, authorization);
    }
  });

  describe("with a server on another machine, over plain HTTP", () => {
    const address = "http://mindsdb.test";
    const name = "mindsdb.test";
    const question = "The connection to http://mindsdb.test is not encrypted.";

    it("sends no username or password before the user has confirmed the risk", async () => {
      const { dialogs, quickInput } = journey.workbench;
      await add(address);
      const text = await dialogs.modal(question, "Cancel");
      assert.match(text, /can read your username and password/);
      await journey.tree.click([name, (await signedOut()).label]);
      await dialogs.modal(question);
      await journey.workbench.screenshot("sign-in-unencrypted");
      assert.deepEqual(onAnotherMachine.requests(/login/), []);
      await dialogs.modal(question, "Sign In Unencrypted");
      await signIn();
      await projects(name);
      await quickInput.widget.waitFor({ state: "hidden" });
      await eventually(() => assert.equal(onAnotherMachine.requests(/login/).length, 1));
      await journey.tree.contextMenu([name], "Remove Connection…");
      await dialogs.modal(`Remove the connection to ${name}?`, "Remove");
    });

    const signedOut = () => journey.tree.find([name, "Signed out"]);
  });

  describe("with several servers", () => {
    it("signs out of one server at a time, offering only those with a sign-in", async () => {
      await add(withCookies.address);
      await signIn();
      await projects(withCookies.address);
      await journey.workbench.command("MindsDB: Sign Out");
      const { quickInput } = journey.workbench;
      await quickInput.expect("Which connection?");
      await eventually(async () => {
        const offered = (await quickInput.labels()).sort();
        assert.deepEqual(offered, [guarded.address, withCookies.address].sort());
      });
      await quickInput.pick("Which connection?", withCookies.address);
      await journey.tree.find([withCookies.address, "Signed out"]);
      await projects(guarded.address);
      const strangers = [...open.logged(), ...withCookies.logged()];
      for (const { headers } of strangers) assert.equal(headers.authorization, undefined);
    });

    it("renames connections and copies their addresses", async () => {
      const { quickInput } = journey.workbench;
      await journey.tree.contextMenu([guarded.address], "Rename Connection…");
      const title = `Rename ${guarded.address}`;
      await quickInput.enter(title, open.address);
      await waitForMessage(`Another connection is named ${open.address}. Choose another name.`);
      await quickInput.enter(title, "  ");
      await waitForMessage("Enter a name.");
      await journey.workbench.screenshot("rename");
      await quickInput.enter(title, " Rental  team ");
      await quickInput.widget.waitFor({ state: "hidden" });
      await projects("Rental team");
      await journey.tree.contextMenu(["Rental team"], "Copy Address");
      await eventually(async () => {
        assert.equal(await journey.workbench.clipboard(), `http://${guarded.address}`);
      });
    });

    itLeavesNoSecrets(journey);
  });
});
