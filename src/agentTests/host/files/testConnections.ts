// Which connection a test's agent is on.
import * as vscode from "vscode";
import type { Connection, ServerAccess } from "../../../shared/connection.ts";
import { offerConnection } from "../../../shared/host/offerConnection.ts";
import { addressWithMarks } from "../../../shared/guardMarks.ts";
import type { TestedAgent } from "../../files/testFile.ts";
import { pickItem } from "../../../shared/host/pickItem.ts";

/** The connection of agents whose file names none, in the workspace's state. */
const stateKey = "agentTests.connection";

/** Returns the id of an agent's connection; undefined if the file names one that is not there. */
type FindConnection = (agent: TestedAgent) => string | undefined;

export class TestConnections {
  readonly #servers: Pick<ServerAccess, "list">;
  readonly #state: vscode.Memento;

  constructor(servers: Pick<ServerAccess, "list">, state: vscode.Memento) {
    this.#servers = servers;
    this.#state = state;
  }

  /** Asks which connection to use where the files leave it open; undefined if the user closes the question. */
  async resolve(agents: readonly TestedAgent[]): Promise<FindConnection | undefined> {
    const isOpen = agents.some(({ connection }) => connection === undefined);
    const other = isOpen ? (this.current?.id ?? (await this.choose())) : undefined;
    if (isOpen && other === undefined) return undefined;
    return ({ connection }) => (connection === undefined ? other : this.get(connection)?.id);
  }

  /** The connection that is used without asking, if there is one. */
  get current(): Connection | undefined {
    const list = this.#servers.list();
    const chosen = this.#state.get<string>(stateKey);
    return list.find(({ id }) => id === chosen) ?? (list.length === 1 ? list[0] : undefined);
  }

  /** The connection of this name, or the one for files that name none; undefined if that would need a question. */
  get(connection?: string): Connection | undefined {
    if (connection === undefined) return this.current;
    return this.#servers.list().find(({ name }) => name === connection);
  }

  /** Lets the user choose the connection for agents whose file names none. */
  async choose(): Promise<string | undefined> {
    if (this.#servers.list().length === 0 && !(await offerConnection(this.#servers))) {
      return undefined;
    }
    const items = this.#servers.list().map((connection) => ({
      label: connection.name,
      description: addressWithMarks(connection),
      id: connection.id,
    }));
    const picked =
      items.length === 1
        ? items[0]
        : await pickItem(items, {
            title: vscode.l10n.t("Connection for Agent Tests"),
            ignoreFocusOut: true,
          });
    if (picked) await this.#state.update(stateKey, picked.id);
    return picked?.id;
  }
}
