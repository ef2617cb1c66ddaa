// Setup and teardown of journeys: servers, a window, a screenshot of each failure, and a search for leaked secrets.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { Chat } from "./chat.ts";
import { canaries, JourneyServer, type JourneyServerOptions } from "./servers.ts";
import { placesThatHold } from "./storage.ts";
import type { Tree } from "./tree.ts";
import { openWorkbench, type Workbench, type WorkbenchOptions } from "./workbench.ts";

const failures = path.resolve(import.meta.dirname, "..", "..", "..", "out/screenshots/failures");

/** Starts a server for the tests of this block. */
export function useServer(options: JourneyServerOptions = {}): JourneyServer {
  const server = new JourneyServer(options);
  before("start a server", () => server.start());
  after("stop the server", () => server.stop());
  return server;
}

/** One VS Code for all tests of a block. */
export class Journey {
  #workbench: Workbench | undefined;
  #tree: Tree | undefined;

  get workbench(): Workbench {
    if (!this.#workbench) throw new Error("VS Code is not open");
    return this.#workbench;
  }

  get tree(): Tree {
    if (!this.#tree) throw new Error("VS Code is not open");
    return this.#tree;
  }

  async open(options: WorkbenchOptions): Promise<void> {
    this.#workbench = await openWorkbench(options);
    this.#tree = await this.#workbench.openView("MindsDB");
  }

  /** Opens VS Code, or takes the window that an earlier block has left. */
  async openShared(options: WorkbenchOptions): Promise<void> {
    if (!shared) {
      await this.open(options);
      shared = this.#workbench;
      return;
    }
    this.#workbench = shared;
    this.#tree = await shared.startAfresh(options);
  }

  /** Opens the chat with an agent by clicking it in the tree. */
  async chatWith(connection: string, project: string, agent: string): Promise<Chat> {
    await this.tree.expand([connection, project, "Agents"]);
    await this.tree.click([connection, project, "Agents", agent]);
    return this.chat(agent);
  }

  /** The visible chat with this agent. */
  chat(agent: string): Promise<Chat> {
    return Chat.with(this.workbench, agent);
  }

  /** Reloads the window once `text` is stored with its editors, and shows the view again. */
  async reload(text?: string): Promise<void> {
    await this.workbench.reload(text);
    this.#tree = await this.workbench.openView("MindsDB");
  }

  /** Quits VS Code, starts it again with the same data, and shows the view again. */
  async restart(text?: string): Promise<void> {
    await this.workbench.restart(text);
    this.#tree = await this.workbench.openView("MindsDB");
  }

  async close(): Promise<void> {
    await this.#workbench?.close();
  }
}

/** The window of the blocks that share one. */
let shared: Workbench | undefined;

after("close the shared VS Code", () => shared?.close());

/** Opens VS Code with the MindsDB view for the tests of this block, and closes it after them. */
export function useWorkbench(options: () => WorkbenchOptions = () => ({})): Journey {
  const journey = new Journey();
  before("open VS Code", () => journey.open(options()));
  watchJourney(journey);
  after("close VS Code", () => journey.close());
  return journey;
}

/**
 * Like `useWorkbench`, in one window with all other blocks of this process that share it: each begins without editors and
 * messages, with its own connections and the sample workspace. What the extension has stored stays.
 */
export function useSharedWorkbench(
  options: () => Pick<WorkbenchOptions, "machineSettings">,
): Journey {
  const journey = new Journey();
  before("open VS Code, or what is open", () => journey.openShared(options()));
  watchJourney(journey);
  return journey;
}

function watchJourney(journey: Journey): void {
  afterEach("keep a picture of a failure", async function () {
    if (this.currentTest?.state !== "failed") return;
    const name = this.currentTest.fullTitle().replace(/\W+/g, "-").slice(0, 120);
    fs.mkdirSync(failures, { recursive: true });
    await journey.workbench.page.screenshot({ path: path.join(failures, `${name}.png`) });
  });
  after("see that no page had an error", () => {
    assert.deepEqual(journey.workbench.watch.webviewErrors(), []);
  });
}

/**
 * Settings with one connection for each server, under the given name; `more` is what else they say of it. No other server's
 * has its id, so that nothing which is stored for one of the same name is taken for its.
 */
export function connectedTo(
  servers: Record<string, JourneyServer>,
  more: Record<string, object> = {},
): WorkbenchOptions {
  const connections = Object.entries(servers).map(([name, server]) => ({
    id: `${name.toLowerCase()}-${server.proxy.port}`,
    name,
    address: server.address,
    ...more[name],
  }));
  return { machineSettings: { "mindsdbWorkbench.connections": connections } };
}

/** The last test of a journey with secrets. */
export function itLeavesNoSecrets(journey: Journey): void {
  it("leaves no password, token or API key behind", async () => {
    const { password, token, apiKey } = canaries;
    assert.deepEqual(await placesThatHold(journey.workbench, [password, token, apiKey]), []);
  });
}

/** Everything in the extension's log so far. */
export function extensionLog({ vscode }: Workbench): string {
  return fs
    .readdirSync(vscode.logsFolder, { withFileTypes: true, recursive: true })
    .filter(({ name }) => /Workbench for MindsDB.*\.log$/.test(name))
    .map(({ parentPath, name }) => fs.readFileSync(path.join(parentPath, name), "utf8"))
    .join("\n");
}
