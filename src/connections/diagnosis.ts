// Finds out how far a connection gets: one step after another, each with what to do if it fails.
import * as l10n from "@vscode/l10n";
import dns from "node:dns/promises";
import net from "node:net";
import tls from "node:tls";
import { AppError } from "../mindsdb/errors.ts";
import { abortable } from "../mindsdb/http/abortable.ts";
import { certificates } from "../mindsdb/http/certificates.ts";
import type { Client } from "../mindsdb/http/client.ts";
import { withGatewayLogin, type BasicLogin } from "../mindsdb/http/gatewayLogin.ts";
import { identifyServer } from "../mindsdb/http/identifyServer.ts";
import type { ServerStatus } from "../mindsdb/http/login.ts";
import { networkError } from "../mindsdb/http/networkErrors.ts";
import { isLoopback, parseAddress, type ServerAddress } from "../mindsdb/http/serverAddress.ts";
import { findProxy, portOf, withoutBrackets } from "../mindsdb/http/proxy.ts";
import { createTransport, type NetworkOptions } from "../mindsdb/http/transport.ts";
import { listProjects } from "../mindsdb/projects.ts";
import { adviceFor, type DiagnosisStep } from "./diagnosisTexts.ts";

interface DiagnosisOptions {
  address: string;
  network: NetworkOptions;
  client: () => Promise<Client>;
  isSignedIn: boolean;
  /** The login of a web server in front of MindsDB. */
  gatewayLogin?: () => Promise<Partial<BasicLogin> | undefined>;
  signal: AbortSignal;
  /** Called when a step begins. */
  onStep: (name: string) => void;
}

/** Maximum time of one step, in ms. */
const stepLimitMs = 15_000;

/** The finding of a step as a text, or why the step does not apply. */
type Finding = string | { skipped: string };

/** Runs all steps. After a failure the others are skipped. Rejects only when the signal fires. */
export async function diagnose(options: DiagnosisOptions): Promise<DiagnosisStep[]> {
  const diagnosis = new Diagnosis(options);
  const steps: [name: string, run: (signal: AbortSignal) => Promise<Finding>][] = [
    [l10n.t("Proxy"), () => Promise.resolve(diagnosis.findProxy())],
    [l10n.t("Name resolution"), () => diagnosis.resolveName()],
    [l10n.t("Network connection"), (signal) => diagnosis.connect(signal)],
    [l10n.t("Encryption (TLS)"), (signal) => diagnosis.encrypt(signal)],
    [l10n.t("HTTP"), (signal) => diagnosis.request(signal)],
    [l10n.t("MindsDB"), (signal) => diagnosis.identify(signal)],
    [l10n.t("Sign-in"), (signal) => diagnosis.useCredential(signal)],
  ];
  const done: DiagnosisStep[] = [];
  let failed: string | undefined;
  for (const [name, run] of steps) {
    options.signal.throwIfAborted();
    if (failed !== undefined) {
      done.push({ name, state: "skipped", text: l10n.t("Not tested: {0} failed.", failed) });
      continue;
    }
    options.onStep(name);
    const step = await runStep(name, run, options.signal);
    if (step.state === "failed") failed = name;
    done.push(step);
  }
  return done;
}

async function runStep(
  name: string,
  run: (signal: AbortSignal) => Promise<Finding>,
  cancelled: AbortSignal,
): Promise<DiagnosisStep> {
  const limit = AbortSignal.timeout(stepLimitMs);
  const signal = AbortSignal.any([cancelled, limit]);
  const started = performance.now();
  const since = (): number => Math.round(performance.now() - started);
  try {
    const found = await abortable(run(signal), signal);
    if (typeof found !== "string") return { name, state: "skipped", text: found.skipped };
    return { name, state: "ok", text: found, ms: since() };
  } catch (error) {
    cancelled.throwIfAborted();
    const known = limit.aborted
      ? new AppError("timeout", l10n.t("No answer within {0} s.", stepLimitMs / 1_000))
      : error;
    const text = known instanceof Error ? known.message : String(known);
    return { name, state: "failed", text, advice: adviceFor(known), ms: since() };
  }
}

class Diagnosis {
  readonly #options: DiagnosisOptions;
  readonly #address: ServerAddress;
  readonly #url: URL;
  readonly #proxy: () => URL | undefined;
  #status: ServerStatus | undefined;

  constructor(options: DiagnosisOptions) {
    this.#options = options;
    this.#address = parseAddress(options.address);
    this.#url = new URL(this.#address.origin);
    this.#proxy = () => findProxy(this.#address, options.network)?.url;
  }

  findProxy(): Finding {
    const proxy = this.#proxy();
    return proxy
      ? l10n.t("Requests go through {0}.", proxy.host)
      : { skipped: l10n.t("None is used for this address.") };
  }

  async resolveName(): Promise<Finding> {
    const { hostname } = this.#next;
    if (net.isIP(hostname) !== 0) return { skipped: l10n.t("{0} is an IP address.", hostname) };
    try {
      const found = await dns.lookup(hostname, { all: true });
      return [...new Set(found.map(({ address }) => address))].join(", ");
    } catch (error) {
      throw this.#explained(error);
    }
  }

  async connect(signal: AbortSignal): Promise<Finding> {
    const { hostname, port } = this.#next;
    const socket = net.connect({ host: hostname, port, signal });
    try {
      await connected(socket, "connect");
      return l10n.t("{0} accepts connections on port {1}.", hostname, port);
    } catch (error) {
      throw this.#explained(error);
    } finally {
      socket.destroy();
    }
  }

  async encrypt(signal: AbortSignal): Promise<Finding> {
    if (this.#url.protocol !== "https:") {
      return {
        skipped: isLoopback(this.#address)
          ? l10n.t("The address is plain http, on this machine.")
          : l10n.t("The address is plain http: others on the network can read everything."),
      };
    }
    if (this.#proxy()) return { skipped: l10n.t("Tested together with HTTP, through the proxy.") };
    const { hostname, port } = this.#next;
    const { caFile, strictSSL = true } = this.#options.network;
    const socket = tls.connect({
      host: hostname,
      port,
      ca: certificates(caFile),
      rejectUnauthorized: strictSSL,
      servername: net.isIP(hostname) === 0 ? hostname : undefined,
    });
    const stop = (): void => void socket.destroy(new Error("aborted"));
    signal.addEventListener("abort", stop);
    try {
      await connected(socket, "secureConnect");
      const { valid_to: end } = socket.getPeerCertificate();
      const protocol = socket.getProtocol() ?? "TLS";
      return socket.authorized
        ? l10n.t("{0}, with a trusted certificate that is valid until {1}.", protocol, end)
        : l10n.t(
            "{0}, with a certificate that is not trusted: http.proxyStrictSSL is off.",
            protocol,
          );
    } catch (error) {
      throw this.#explained(error);
    } finally {
      signal.removeEventListener("abort", stop);
      socket.destroy();
    }
  }

  async request(signal: AbortSignal): Promise<Finding> {
    return this.#withTransport(async (transport) => {
      const { status, body } = await transport.send({ method: "GET", path: "/api/status", signal });
      // Closes the socket.
      await body[Symbol.asyncIterator]().return?.();
      return l10n.t("GET /api/status returned {0}.", status);
    });
  }

  async identify(signal: AbortSignal): Promise<Finding> {
    return this.#withTransport(async (transport) => {
      const { status, isCertain } = await identifyServer(transport, { signal });
      this.#status = status;
      if (status.version !== undefined) return l10n.t("Version {0}.", status.version);
      return isCertain
        ? l10n.t("The server does not report its version.")
        : l10n.t("A web API answers, but it does not identify itself as MindsDB.");
    });
  }

  /** Reads the list of projects, which needs the credential where the server wants one. */
  async useCredential(signal: AbortSignal): Promise<Finding> {
    const client = await this.#options.client();
    await listProjects(client, { signal });
    if (this.#status?.authEnabled !== true) {
      return l10n.t("The server does not require you to sign in.");
    }
    return this.#options.isSignedIn
      ? l10n.t("The server requires you to sign in and accepted your sign-in.")
      : l10n.t("The server requires you to sign in, but accepted this request without a sign-in.");
  }

  /** Where the first connection goes: the proxy, or the server. */
  get #next(): { hostname: string; port: number } {
    const next = this.#proxy() ?? this.#url;
    return { hostname: withoutBrackets(next.hostname), port: portOf(next) };
  }

  #explained(error: unknown): AppError {
    const proxy = this.#proxy();
    return networkError(error, { address: this.#address, proxy, limitMs: stepLimitMs });
  }

  async #withTransport<T>(
    work: (transport: ReturnType<typeof createTransport>) => Promise<T>,
  ): Promise<T> {
    const { network, gatewayLogin = () => Promise.resolve(undefined) } = this.#options;
    const transport = withGatewayLogin(createTransport(this.#address, network), gatewayLogin);
    try {
      return await work(transport);
    } finally {
      await transport.close();
    }
  }
}

function connected(socket: net.Socket, event: "connect" | "secureConnect"): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, resolve);
    socket.once("error", reject);
  });
}
