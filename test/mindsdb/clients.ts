// The product's client and a plain one, both signed in, for the tests of a block.
import type { Version } from "../../scripts/mindsdb/install.ts";
import type { Client } from "../../src/mindsdb/http/client.ts";
import { Admin } from "./admin.ts";
import { connect, type Connection } from "./conversation.ts";
import { fixture } from "./fixture.ts";

/** The clients of a block, from its first test on. */
export class Clients {
  #connection: Connection | undefined;
  #admin: Admin | undefined;

  /** The product's. */
  get client(): Client {
    if (!this.#connection) throw new Error("not connected");
    return this.#connection.client;
  }

  /** Plain HTTP, which prepares and checks. */
  get admin(): Admin {
    if (!this.#admin) throw new Error("not connected");
    return this.#admin;
  }

  async connect(version: Version): Promise<void> {
    const { server } = fixture(version);
    this.#connection = await connect(server.url);
    this.#admin = await Admin.signIn(server);
  }

  async close(): Promise<void> {
    await this.#connection?.close();
  }
}

/** Connects both clients for the tests of this block. */
export function useClients(version: Version): Clients {
  const clients = new Clients();
  before("connect", () => clients.connect(version));
  after("disconnect", () => clients.close());
  return clients;
}
