import assert from "node:assert/strict";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { diagnose } from "../../../src/connections/diagnosis.ts";
import { reportText, type DiagnosisStep } from "../../../src/connections/diagnosisTexts.ts";
import { isCancelled } from "../../../src/mindsdb/errors.ts";
import { parseAddress } from "../../../src/mindsdb/http/serverAddress.ts";
import {
  createTransport,
  type NetworkOptions,
  type Transport,
} from "../../../src/mindsdb/http/transport.ts";
import { startSampleServer } from "../../../src/sample/server/server.ts";
import { startTestServer } from "../../sampleServer/server.ts";
import { clientOver } from "../../clientOver.ts";
import { startFaultProxy, type FaultProxy } from "../../proxy/faultProxy.ts";

type Sample = Awaited<ReturnType<typeof startTestServer>>;

const certificates = path.resolve(import.meta.dirname, "..", "..", "fixtures", "tls");
const tls = {
  key: fs.readFileSync(path.join(certificates, "key.pem"), "utf8"),
  cert: fs.readFileSync(path.join(certificates, "cert.pem"), "utf8"),
};

describe("The diagnosis of a connection", () => {
  let sample: Sample;
  const open: { stop(): Promise<unknown> }[] = [];
  const transports: Transport[] = [];
  before(async () => void (sample = await startTestServer({ unguarded: true })));
  afterEach(async () => {
    for (const transport of transports.splice(0)) await transport.close();
    for (const one of open.splice(0)) await one.stop();
  });
  after(() => sample.stop());

  async function proxied(options: { tls?: typeof tls } = {}): Promise<FaultProxy> {
    const proxy = await startFaultProxy({ target: sample.url, ...options });
    open.push(proxy);
    return proxy;
  }

  function run(
    address: string,
    {
      network = {},
      signal = new AbortController().signal,
      onStep = () => undefined,
    }: {
      network?: NetworkOptions;
      signal?: AbortSignal;
      onStep?: (name: string) => void;
    } = {},
  ): Promise<DiagnosisStep[]> {
    const transport = createTransport(parseAddress(address), network);
    transports.push(transport);
    const client = clientOver(transport, { isReadOnly: () => true });
    return diagnose({
      address,
      network,
      client: () => Promise.resolve(client),
      isSignedIn: false,
      signal,
      onStep,
    });
  }

  const states = (steps: DiagnosisStep[]) =>
    Object.fromEntries(steps.map(({ name, state }) => [name, state]));

  it("passes every step on a server that works, and asks no agent a question", async () => {
    const proxy = await proxied();
    const steps = await run(proxy.url);
    assert.deepEqual(states(steps), {
      Proxy: "skipped",
      "Name resolution": "skipped",
      "Network connection": "ok",
      "Encryption (TLS)": "skipped",
      HTTP: "ok",
      MindsDB: "ok",
      "Sign-in": "ok",
    });
    const textOf = (wanted: string) => steps.find(({ name }) => name === wanted)?.text ?? "";
    assert.equal(textOf("Encryption (TLS)"), "The address is plain http, on this machine.");
    assert.match(textOf("MindsDB"), /^Version \d+\.\d+\S*\.$/);
    assert.ok(!proxy.requests.some(({ path: at }) => at.includes("completions")));
  });

  it("passes on the sample server that ships with the extension", async () => {
    const shipped = await startSampleServer();
    open.push(shipped);
    const steps = await run(shipped.url);
    assert.deepEqual(
      steps.filter(({ state }) => state === "failed"),
      [],
    );
    assert.equal(steps.at(-1)?.state, "ok");
  });

  it("stops at a dead port, and says what to do", async () => {
    const server = net.createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as net.AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const steps = await run(`http://127.0.0.1:${port}`);
    const failed = steps.find(({ state }) => state === "failed");
    assert.equal(failed?.name, "Network connection");
    assert.equal(failed.text, `Can't reach http://127.0.0.1:${port}.`);
    assert.match(failed.advice ?? "", /^Check that MindsDB is running there.*\.$/);
    assert.equal(steps.at(-1)?.text, "Not tested: Network connection failed.");
    assert.equal(steps.length, 7);
  });

  it("stops at a certificate that is not trusted, and passes with its authority", async () => {
    const proxy = await proxied({ tls });
    const address = proxy.url.replace("127.0.0.1", "localhost");
    const steps = await run(address);
    const failed = steps.find(({ state }) => state === "failed");
    assert.equal(failed?.name, "Encryption (TLS)");
    assert.match(failed.text, /self-signed/);
    assert.match(failed.advice ?? "", /mindsdbWorkbench\.caFile/);
    assert.equal(proxy.requests.length, 0);
    const caFile = path.join(certificates, "cert.pem");
    const trusted = states(await run(address, { network: { caFile } }));
    assert.equal(trusted["Encryption (TLS)"], "ok");
    assert.equal(trusted["Sign-in"], "ok");
  });

  it("says that a name is unknown, and what answers if it is not MindsDB", async () => {
    const unknown = await run("http://nowhere.invalid", { network: { proxy: "" } });
    const failed = unknown.find(({ state }) => state === "failed");
    assert.equal(failed?.name, "Name resolution");
    assert.equal(failed.text, "There is no host named nowhere.invalid.");
    const proxy = await proxied();
    proxy.set({ answer: { status: 200, headers: {}, body: "<html>Welcome" } });
    const other = (await run(proxy.url)).find(({ state }) => state === "failed");
    assert.equal(other?.name, "MindsDB");
    assert.match(other.advice ?? "", /another program/);
  });

  it("asks the transport which hosts need no proxy", async () => {
    const { env } = process;
    const before = env["NO_PROXY"];
    const noProxyFor = async (entry: string, network: NetworkOptions): Promise<string> => {
      env["NO_PROXY"] = entry;
      const signal = AbortSignal.timeout(60_000);
      const running = run("http://nowhere.invalid:81", { network, signal });
      const [first] = await running.catch(() => []);
      return first?.state ?? "cancelled";
    };
    try {
      const proxy = "http://127.0.0.1:9";
      assert.equal(await noProxyFor("nowhere.invalid", { proxy }), "skipped");
      assert.equal(await noProxyFor("*", { proxy, noProxy: [] }), "skipped");
      assert.equal(await noProxyFor("", { proxy, noProxy: ["invalid:81"] }), "skipped");
      assert.equal(await noProxyFor("other.test", { proxy }), "ok");
    } finally {
      if (before === undefined) delete env["NO_PROXY"];
      else env["NO_PROXY"] = before;
    }
  });

  it("can be cancelled during any step", async () => {
    const proxy = await proxied();
    proxy.set({ delay: 20_000 });
    const abort = new AbortController();
    const running = run(proxy.url, {
      signal: abort.signal,
      onStep: (name) => {
        if (name === "HTTP") setTimeout(() => abort.abort(), 50);
      },
    });
    await assert.rejects(running, isCancelled);
  });

  it("is written as plain text", () => {
    const steps: DiagnosisStep[] = [
      { name: "HTTP", state: "ok", text: "Fine.", ms: 3 },
      { name: "MindsDB", state: "failed", text: "No.", advice: "Look.", ms: 1 },
      { name: "Sign-in", state: "skipped", text: "Not tried." },
    ];
    assert.equal(
      reportText({ facts: [["Connection", "Test"]], steps }),
      [
        "Diagnosis of a MindsDB Connection",
        "",
        "Connection: Test",
        "",
        "[ok] HTTP (3 ms)",
        "    Fine.",
        "[failed] MindsDB (1 ms)",
        "    No.",
        "    Fix: Look.",
        "[skipped] Sign-in",
        "    Not tried.",
        "",
      ].join("\n"),
    );
  });
});
