import type { Socket } from "node:net";

/** A server on this machine of which only a port is known, on which any program could listen. */
export interface ProvenServer {
  /** Opens a connection on which the server has proven who it is. */
  openSocket(port: number): Promise<Socket>;
  /** Sent with each request. */
  token: string;
}
