// Proxy settings as people write them. Every host name here is made up; proxies on loopback lead all to one server.
import assert from "node:assert/strict";
import net from "node:net";
import tls from "node:tls";
import { parseCollector, sendTrace } from "../../../src/chat/trace/sendTrace.ts";
import { isAppError, type AppError } from "../../../src/mindsdb/errors.ts";
import { getStatus } from "../../../src/mindsdb/http/login.ts";
import { findProxy, type ProxySettings } from "../../../src/mindsdb/http/proxy.ts";
import { parseAddress } from "../../../src/mindsdb/http/serverAddress.ts";
import { createTransport, type NetworkOptions } from "../../../src/mindsdb/http/transport.ts";
import { startFaultProxy } from "../../proxy/faultProxy.ts";
import { startSocksProxy, type SocksProxy } from "../../proxy/socksProxy.ts";
import { startTestServer } from "../../sampleServer/server.ts";
import { listen } from "./httpServer.ts";
import { caFile, ownTls } from "./ownTls.ts";

async function versionAt(address: string, network: NetworkOptions): Promise<string | undefined> {
  const transport = createTransport(parseAddress(address), network);
  try {
    return (await getStatus(transport, { timeoutMs: 30_000 })).version;
  } finally {
    await transport.close();
  }
}

/** Runs something in an environment without variables of proxies. */
const withoutProxyVariables = (run: () => void): void => {
  const before = { ...process.env };
  try {
    for (const name of ["http_proxy", "https_proxy", "no_proxy"]) {
      delete process.env[name];
      delete process.env[name.toUpperCase()];
    }
    run();
  } finally {
    for (const name of Object.keys(process.env)) {
      if (!(name in before)) delete process.env[name];
    }
    Object.assign(process.env, before);
  }
};

describe("Proxies", () => {
  let sample: Awaited<ReturnType<typeof startTestServer>>;
  const open: { stop(): Promise<unknown> }[] = [];
  before(async () => void (sample = await startTestServer({ unguarded: true })));
  afterEach(async () => {
    for (const one of open.splice(0)) await one.stop();
  });
  after(() => sample.stop());

  async function socks(
    options: Partial<Parameters<typeof startSocksProxy>[0]> = {},
  ): Promise<SocksProxy> {
    const proxy = await startSocksProxy({ target: sample.url, ...options });
    open.push(proxy);
    return proxy;
  }

  describe("with SOCKS 5", () => {
    it("are greeted in plain text, and resolve the name", async () => {
      const proxy = await socks();
      for (const scheme of ["socks5", "socks"]) {
        const network = { proxy: `${scheme}://127.0.0.1:${proxy.port}` };
        assert.equal(await versionAt("http://mdb.example.test:47334", network), "26.1.0");
      }
      assert.deepEqual(proxy.greetings, ["050100", "050100"]);
      assert.deepEqual(proxy.targets, ["mdb.example.test:47334", "mdb.example.test:47334"]);
    });

    it("lead to servers with TLS, whose certificates are checked", async () => {
      const secure = await startFaultProxy({ target: sample.url, tls: ownTls });
      open.push(secure);
      const proxy = await socks({ target: secure.url });
      const network = { proxy: `socks5://127.0.0.1:${proxy.port}`, caFile };
      await assert.rejects(versionAt("https://mdb.example.test", network), (error: AppError) =>
        error.message.includes("issued for another host"),
      );
      const anyone = { ...network, strictSSL: false };
      assert.equal(await versionAt("https://mdb.example.test", anyone), "26.1.0");
      assert.deepEqual(proxy.targets, ["mdb.example.test:443", "mdb.example.test:443"]);
    });

    it("reach servers by address", async () => {
      const proxy = await socks();
      const network = { proxy: `socks5://127.0.0.1:${proxy.port}` };
      assert.equal(await versionAt("http://192.0.2.1:80", network), "26.1.0");
      assert.equal(await versionAt("http://[2001:db8::1]:81", network), "26.1.0");
      assert.deepEqual(proxy.targets, ["c0000201:80", "20010db8000000000000000000000001:81"]);
    });

    it("get the login of their URL", async () => {
      const proxy = await socks({ login: "ada:50%off@home" });
      const host = `127.0.0.1:${proxy.port}`;
      const network = { proxy: `socks5://ada:50%off%40home@${host}` };
      assert.equal(await versionAt("http://mdb.example.test", network), "26.1.0");
      const wrong = versionAt("http://mdb.example.test", { proxy: `socks5://ada:x@${host}` });
      await assert.rejects(wrong, { kind: "proxy", message: "The proxy requires a sign-in." });
    });

    it("carry traces", async () => {
      const collector = await listen((_, response) => response.end());
      const proxy = await socks({ target: collector.address.origin });
      try {
        await sendTrace(parseCollector("http://otel.example.test:4318"), new Uint8Array([10, 0]), {
          network: { proxy: `socks5://127.0.0.1:${proxy.port}` },
          signal: AbortSignal.timeout(60_000),
        });
      } finally {
        await collector.close();
      }
      assert.deepEqual(proxy.targets, ["otel.example.test:4318"]);
      assert.equal(collector.seen.length, 1);
    });

    it("explain what they did not do", async () => {
      const explain = async (options: Parameters<typeof socks>[0]): Promise<string> => {
        const { port } = await socks(options);
        const network = { proxy: `socks5://127.0.0.1:${port}` };
        const failure = await versionAt("http://mdb.example.test", network).catch(
          (error: AppError) => `${error.kind}: ${error.message}`,
        );
        return String(failure).replace(String(port), "PORT");
      };
      const server = "http://mdb.example.test";
      assert.deepEqual(
        [
          await explain({ refuses: 5 }),
          await explain({ refuses: 4 }),
          await explain({ refuses: 2 }),
          await explain({ greeting: "HTTP/1.1 400 Bad Request\r\n\r\n" }),
        ],
        [
          `unreachable: The proxy 127.0.0.1:PORT can't reach ${server}.`,
          `unreachable: The proxy 127.0.0.1:PORT can't reach ${server}.`,
          `proxy: The proxy blocked the request to ${server}.`,
          "proxy: The proxy 127.0.0.1:PORT does not support SOCKS 5.",
        ],
      );
    });

    it("that do not answer are named", async () => {
      const proxy = await socks();
      await proxy.stop();
      open.pop();
      const network = { proxy: `socks5://127.0.0.1:${proxy.port}` };
      await assert.rejects(versionAt("http://mdb.example.test", network), {
        kind: "proxy",
        message: `The proxy 127.0.0.1:${proxy.port} for http://mdb.example.test does not respond.`,
      });
    });

    it("of other versions are said to be unsupported", async () => {
      for (const scheme of ["socks4", "socks4a", "socks5h"]) {
        await assert.rejects(
          async () => versionAt("http://mdb.test", { proxy: `${scheme}://127.0.0.1:1` }),
          (error) =>
            isAppError(error, "proxy") &&
            error.message.startsWith(`Proxies with ${scheme}:// addresses are not supported.`),
        );
      }
      await assert.rejects(
        async () => versionAt("http://mdb.test", { proxy: "socks5://" }),
        (error) => isAppError(error, "proxy") && error.message.includes("is not a proxy address"),
      );
    });
  });

  describe("that want a login", () => {
    async function authorizationFor(network: (host: string) => NetworkOptions): Promise<string> {
      const proxy = await startFaultProxy({ target: sample.url });
      open.push(proxy);
      const version = await versionAt("http://mdb.test", network(`127.0.0.1:${proxy.port}`));
      assert.equal(version, "26.1.0");
      const [scheme = "", value = ""] = (
        proxy.requests.find(({ method }) => method === "CONNECT")?.headers["proxy-authorization"] ??
        ""
      ).split(" ");
      const direct = proxy.requests.filter(({ method }) => method !== "CONNECT");
      assert.ok(direct.every(({ headers }) => !("proxy-authorization" in headers)));
      return scheme === "Basic" ? Buffer.from(value, "base64").toString() : `${scheme} ${value}`;
    }

    it("get it from their URL, where a percent sign may stand for itself", async () => {
      const cases = {
        "user:50%off": "user:50%off",
        "user:100%": "user:100%",
        "user:%E4t": "user:%E4t",
        "us%er:p%40ss%3A": "us%er:p@ss:",
        "%C3%A4da:%F0%9F%94%91": "äda:🔑",
        user: "user:",
        ":token": ":token",
      };
      for (const [typed, sent] of Object.entries(cases)) {
        const got = await authorizationFor((host) => ({ proxy: `http://${typed}@${host}` }));
        assert.equal(got, sent);
      }
    });

    it("get http.proxyAuthorization, which their URL does not override", async () => {
      const proxyAuthorization = "Bearer canary-1";
      const plain = await authorizationFor((host) => ({
        proxy: `http://${host}`,
        proxyAuthorization,
      }));
      const both = await authorizationFor((host) => ({
        proxy: `http://user:50%off@${host}`,
        proxyAuthorization,
      }));
      assert.deepEqual([plain, both], [proxyAuthorization, proxyAuthorization]);
    });

    it("get it without the line break that was copied with it", async () => {
      const got = await authorizationFor((host) => ({
        proxy: `http://${host}`,
        proxyAuthorization: " Bearer canary-1\n",
      }));
      assert.equal(got, "Bearer canary-1");
      const none = await authorizationFor((host) => ({
        proxy: `http://user:pass@${host}`,
        proxyAuthorization: " ",
      }));
      assert.equal(none, "user:pass");
    });

    it("name a setting that is no header, without repeating it", async () => {
      for (const proxyAuthorization of ["canary\r\nX: 1", "cänary", "canary\0"]) {
        await assert.rejects(
          async () => versionAt("http://mdb.test", { proxy: "127.0.0.1:9", proxyAuthorization }),
          {
            kind: "proxy",
            message: "The setting http.proxyAuthorization is not a valid header.",
          },
        );
      }
    });

    it("and get none say so", async () => {
      const refusing = net.createServer((socket) => {
        socket.on("error", () => undefined);
        socket.once("data", () => socket.end("HTTP/1.1 407 Login\r\ncontent-length: 0\r\n\r\n"));
      });
      await new Promise<void>((resolve) => refusing.listen(0, "127.0.0.1", resolve));
      open.push({ stop: () => new Promise((resolve) => refusing.close(resolve)) });
      const { port } = refusing.address() as net.AddressInfo;
      await assert.rejects(versionAt("http://mdb.test", { proxy: `127.0.0.1:${port}` }), {
        kind: "proxy",
        message: "The proxy requires a sign-in.",
      });
    });
  });

  describe("whose address is not right", () => {
    const messageOf = (settings: ProxySettings, address = "http://mdb.test"): string => {
      try {
        const found = findProxy(parseAddress(address), settings);
        return `found ${String(found?.url)}`;
      } catch (error) {
        assert.ok(isAppError(error, "proxy"), String(error));
        return error.message;
      }
    };

    it("are refused by the name of their setting or variable", () => {
      const wrong = (name: string): string =>
        `${name} is not a proxy address. Write it like http://proxy.example.com:3128.`;
      const values = [
        "http://",
        ":3128",
        "3128",
        "http://127.0.0.1:0",
        "http://127.0.0.1:99999",
        "http://127.0.0.1:abc",
        "http://::1:3128",
        "http://%zz:1",
        '"http://127.0.0.1:9"',
        "PROXY 127.0.0.1:9",
      ];
      for (const proxy of values) assert.equal(messageOf({ proxy }), wrong("http.proxy"), proxy);
      withoutProxyVariables(() => {
        process.env["HTTP_PROXY"] = "http://127.0.0.1:99999";
        assert.equal(messageOf({}), wrong("HTTP_PROXY"));
        assert.equal(messageOf({}, "https://mdb.test"), wrong("HTTP_PROXY"));
        process.env["https_proxy"] = "http://%zz";
        assert.equal(messageOf({}, "https://mdb.test"), wrong("https_proxy"));
        process.env["https_proxy"] = "ftp://127.0.0.1";
        assert.equal(
          messageOf({}, "https://mdb.test"),
          "Proxies with ftp:// addresses are not supported. Check https_proxy.",
        );
      });
    });

    it("never show a part of a login whose characters end a host", () => {
      const logins = ["ada:8080/canary", "ada:80?canary", "ada:1#canary", "corp\\ada:canary"];
      for (const login of logins) {
        for (const scheme of ["", "http://", "socks5://"]) {
          assert.equal(
            messageOf({ proxy: `${scheme}${login}@127.0.0.1:9` }),
            "http.proxy is not a proxy address. Percent-encode characters like / ? # \\ in its username and password.",
          );
        }
      }
    });

    it("are read without blanks around them, and with any slashes after the scheme", () => {
      for (const proxy of [" http://127.0.0.1:9\n", "http:/127.0.0.1:9", "HTTP:\\\\127.0.0.1:9/"]) {
        assert.equal(messageOf({ proxy }), "found http://127.0.0.1:9/");
      }
      withoutProxyVariables(() => {
        assert.equal(messageOf({ proxy: "  " }), "found undefined");
        process.env["HTTP_PROXY"] = "127.0.0.1:9";
        assert.equal(messageOf({ proxy: "  " }), "found http://127.0.0.1:9/");
        assert.equal(messageOf({ proxy: "" }), "found undefined");
      });
    });
  });

  describe("with TLS", () => {
    async function explain(network: NetworkOptions): Promise<string> {
      return String(
        await versionAt("http://mdb.test", network).catch(
          (error: AppError) => `${error.kind}: ${error.message}`,
        ),
      );
    }

    it("that have none are named, not the server", async () => {
      const proxy = await startFaultProxy({ target: sample.url });
      open.push(proxy);
      const origin = `https://127.0.0.1:${proxy.port}`;
      assert.equal(await explain({ proxy: origin }), `proxy: ${origin} does not support HTTPS.`);
    });

    it("have certificates of their own", async () => {
      const plain = await startFaultProxy({ target: sample.url });
      open.push(plain);
      const front = tls.createServer(ownTls, (socket) => {
        const onward = net.connect(plain.port, "127.0.0.1");
        for (const one of [socket, onward]) one.on("error", () => undefined);
        socket.pipe(onward).pipe(socket);
      });
      await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
      open.push({ stop: () => new Promise((resolve) => front.close(resolve)) });
      const { port } = front.address() as net.AddressInfo;
      const named = `https://localhost:${port}`;
      assert.equal(await explain({ proxy: named, caFile }), "26.1.0");
      assert.equal(
        await explain({ proxy: named }),
        `certificate: The certificate of ${named} is not trusted: it is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT).`,
      );
      const numbered = `https://127.0.0.1:${port}`;
      assert.equal(
        await explain({ proxy: numbered, caFile }),
        `certificate: The certificate of ${numbered} is not trusted: it was issued for another host (ERR_TLS_CERT_ALTNAME_INVALID).`,
      );
    });
  });

  describe("and hosts without one", () => {
    const isProxied = (address: string, ...noProxy: string[]): boolean =>
      findProxy(parseAddress(address), { proxy: "http://127.0.0.1:9", noProxy }) !== undefined;

    it("are excluded by name, domain, address, range and port", () => {
      const excluded: [address: string, entry: string][] = [
        ["http://mdb.corp.test", "mdb.corp.test"],
        ["http://mdb.corp.test.", "MDB.corp.test"],
        ["http://mdb.corp.test", "corp.test"],
        ["http://mdb.corp.test", ".corp.test"],
        ["http://mdb.corp.test", "*.corp.test"],
        ["http://mdb.corp.test", "*"],
        ["http://mdb.corp.test", "other.test, corp.test"],
        ["http://mdb.corp.test:81", "corp.test:81"],
        ["https://mdb.corp.test", "corp.test:443"],
        ["http://192.0.2.2:1", "192.0.2.2"],
        ["http://10.20.30.40", "10.0.0.0/8"],
        ["http://[2001:db8::1]", "2001:db8::1"],
        ["http://[2001:db8::1]:81", "[2001:db8::1]:81"],
        ["http://[2001:db8::1]", "2001:db8::/32"],
        ["http://[2001:db8::1]", "2001:DB8:0:0::1"],
        ["http://[2001:db8::1]:81", "[2001:0db8::1]:81"],
        ["http://mdb.corp.test", "corp.test."],
        ["http://mdb.münchen.test", ".München.test"],
        ["http://mdb.corp.test", "http://mdb.corp.test/"],
        ["http://mdb.corp.test:81", "https://corp.test:81"],
        ["http://mdb.corp.test", "other.test;corp.test"],
        ["http://mdb.corp.test", "*corp.test"],
      ];
      for (const [address, entry] of excluded) assert.ok(!isProxied(address, entry), entry);
      const included: [address: string, entry: string][] = [
        ["http://mdb.corp.test", "corp.test:81"],
        ["http://notcorp.test", "corp.test"],
        ["http://corp.test", "mdb.corp.test"],
        ["http://11.0.0.1", "10.0.0.0/8"],
        ["http://10.0.0.1", "10.0.0.0/99"],
        ["http://10.0.0.1", "/"],
        ["http://mdb.corp.test", "10.0.0.0/8"],
        ["http://mdb.corp.test", "."],
        ["http://mdb.corp.test", "a@corp.test"],
      ];
      for (const [address, entry] of included) assert.ok(isProxied(address, entry), entry);
    });

    it("come from the settings, else from the environment", () => {
      const asked = (settings: ProxySettings): boolean =>
        findProxy(parseAddress("http://192.0.2.2"), settings) !== undefined;
      const { env } = process;
      withoutProxyVariables(() => {
        env["HTTP_PROXY"] = "http://127.0.0.1:9";
        env["NO_PROXY"] = "192.0.2.2";
        assert.equal(asked({}), false);
        assert.equal(asked({ noProxy: ["other.test"] }), true);
        env["NO_PROXY"] = "";
        assert.equal(asked({}), true);
        assert.equal(asked({ proxy: "" }), false);
      });
    });
  });
});
