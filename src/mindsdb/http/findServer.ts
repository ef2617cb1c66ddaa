// Finds the MindsDB server for a typed text: an address, or a URL copied from a browser with MindsDB's own editor open.
import { addressCandidates, type ServerAddress } from "./serverAddress.ts";
import { AppError, isAppError } from "../errors.ts";
import { withGatewayLogin, type BasicLogin } from "./gatewayLogin.ts";
import { identifyServer, type IdentifiedServer } from "./identifyServer.ts";
import { getStatus } from "./login.ts";
import { createTransport, type NetworkOptions } from "./transport.ts";

export interface FoundServer extends IdentifiedServer {
  address: ServerAddress;
  /** The part of the typed path that is not part of the address, like "/editor"; usually "". */
  leftOut: string;
  /** True if a web server in front of it wants a login first; then nothing else is known. */
  wantsGatewayLogin?: boolean;
}

interface FindOptions {
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
  /** Accepts only servers that identify as MindsDB; sends one request to each address. */
  statusOnly?: boolean;
  /** For a web server in front of MindsDB. */
  gatewayLogin?: BasicLogin;
}

const unidentified = {
  status: { authEnabled: false, confirmed: false },
  isCertain: false,
  leftOut: "",
};

/** Maximum path segments to remove in search of the API. */
const maxPathParts = 4;

/**
 * The first reading of the text at which a MindsDB server answers; where something else answers, the paths above are
 * asked too, and a server that may be one is given only where no other is found. A refused certificate ends the search:
 * the next reading is plain http, to which whoever shows a false certificate would lead. Otherwise it throws what the
 * most telling attempt threw: a server that does not speak http says more than a closed port.
 */
export async function findServer(
  text: string,
  network: NetworkOptions = {},
  options: FindOptions = {},
): Promise<FoundServer> {
  let uncertain: FoundServer | undefined;
  const failures: unknown[] = [];
  /** Ports where nothing answers, with either scheme. */
  const silent = new Set<string>();
  for (const { origin, prefix } of addressCandidates(text)) {
    const { host } = new URL(origin);
    if (silent.has(host)) continue;
    for (const shorter of pathsUpwards(prefix)) {
      const address = { origin, prefix: shorter };
      try {
        const identified = await identify(address, network, options);
        const found = { address, ...identified, leftOut: prefix.slice(shorter.length) };
        if (found.isCertain) return found;
        uncertain ??= found;
      } catch (error) {
        options.signal?.throwIfAborted();
        if (isAppError(error, "certificate")) throw error;
        if (error instanceof AppError && error.isFromGateway && !options.statusOnly) {
          return { ...unidentified, address: { origin, prefix }, wantsGatewayLogin: true };
        }
        failures.push(error);
        if (isAppError(error, "unreachable", "timeout")) silent.add(host);
        // A server that does not answer here does not answer at shorter paths either.
        if (!isAppError(error, "notMindsDB")) break;
      }
    }
  }
  if (uncertain) return uncertain;
  throw (
    failures.find((error) => error instanceof AppError && error.kind !== "unreachable") ??
    failures[0]
  );
}

async function identify(
  address: ServerAddress,
  network: NetworkOptions,
  options: FindOptions,
): Promise<IdentifiedServer> {
  const transport = withGatewayLogin(createTransport(address, network), () =>
    Promise.resolve(options.gatewayLogin),
  );
  try {
    if (!options.statusOnly) return await identifyServer(transport, options);
    return { status: await getStatus(transport, options), isCertain: true };
  } finally {
    await transport.close();
  }
}

/** "/a/b" as "/a/b", "/a" and "". */
function pathsUpwards(prefix: string): string[] {
  const paths = [prefix];
  for (let path = prefix; path !== "" && paths.length <= maxPathParts; paths.push(path)) {
    path = path.slice(0, path.lastIndexOf("/"));
  }
  return paths;
}
