import { everyInterface, hostName, type ServerAddress } from "./serverAddress.ts";

/** True if both are the same server; `localhost`, 0.0.0.0 and [::] count as 127.0.0.1. */
export function isSameServer(a: ServerAddress, b: ServerAddress): boolean {
  return plainAddress(a) === plainAddress(b);
}

function plainAddress(address: ServerAddress): string {
  const { protocol, port } = new URL(address.origin);
  const name = hostName(address);
  const host = ["localhost", ...everyInterface].includes(name) ? "127.0.0.1" : name;
  return `${protocol}//${host}:${port}${address.prefix}`;
}
