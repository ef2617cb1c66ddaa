// Files with certificate authorities, as systems and people write them.
import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { isAppError } from "../../../src/mindsdb/errors.ts";
import { getStatus } from "../../../src/mindsdb/http/login.ts";
import { parseAddress } from "../../../src/mindsdb/http/serverAddress.ts";
import { createTransport } from "../../../src/mindsdb/http/transport.ts";
import { startFaultProxy, type FaultProxy } from "../../proxy/faultProxy.ts";
import { startTestServer } from "../../sampleServer/server.ts";
import { ownTls } from "./ownTls.ts";

const { cert: pem, key } = ownTls;

describe("A file with certificate authorities", () => {
  let sample: Awaited<ReturnType<typeof startTestServer>>;
  let secure: FaultProxy;
  let file: string;
  before(async () => {
    sample = await startTestServer({ unguarded: true });
    secure = await startFaultProxy({ target: sample.url, tls: ownTls });
    file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "certificates-")), "ca.pem");
  });
  after(async () => {
    await secure.stop();
    await sample.stop();
    fs.rmSync(path.dirname(file), { recursive: true });
  });

  async function connect(content: string | Buffer): Promise<string | undefined> {
    fs.writeFileSync(file, content);
    const address = parseAddress(`https://localhost:${secure.port}`);
    const transport = createTransport(address, { caFile: file });
    try {
      return (await getStatus(transport)).version;
    } finally {
      await transport.close();
    }
  }

  const { raw } = new X509Certificate(pem);
  const readable: Record<string, string | Buffer> = {
    "as OpenSSL writes it": pem,
    "with a byte order mark": `\ufeff${pem}`,
    "in UTF-16, as PowerShell writes it": Buffer.from(`\ufeff${pem}`, "utf16le"),
    "in UTF-16 with the big end first": Buffer.from(`\ufeff${pem}`, "utf16le").swap16(),
    "in UTF-16 without a byte order mark": Buffer.from(pem, "utf16le"),
    "with line ends of an old Mac": pem.replaceAll("\n", "\r"),
    "in binary form (DER)": raw,
    "with line ends of Windows": pem.replaceAll("\n", "\r\n"),
    "with a text in front of it, on its line": `Our authority: ${pem}`,
    "with its key in front of it": key + pem,
    "indented, as in YAML": pem.replaceAll(/^/gm, "  "),
  };
  for (const [how, content] of Object.entries(readable)) {
    it(`is trusted ${how}`, async () => assert.equal(await connect(content), "26.1.0"));
  }

  const useless: Record<string, [content: string | Buffer, message: RegExp]> = {
    "that is empty": ["", /ca\.pem contains no certificate/],
    "with a key alone": [key, /ca\.pem contains no certificate, only this: PRIVATE KEY\./],
    "with an RSA key": [
      "-----BEGIN RSA PRIVATE KEY-----\nMII=\n-----END RSA PRIVATE KEY-----",
      /contains no certificate, only this: RSA PRIVATE KEY\./,
    ],
    "with a request": [
      "-----BEGIN CERTIFICATE REQUEST-----\nMII=\n-----END CERTIFICATE REQUEST-----",
      /contains no certificate, only this: CERTIFICATE REQUEST\./,
    ],
    "of another kind": [
      "-----BEGIN PKCS7-----\nMII=\n-----END PKCS7-----",
      /contains no certificate, only this: PKCS7\./,
    ],
    "with half a certificate": [pem.slice(0, 400), /Certificate 1 in the file .*damaged/],
    "with a damaged second one": [pem + pem.replace("M", "!"), /Certificate 2 in the file/],
    "with half a binary one": [raw.subarray(0, 200), /contains no certificate/],
  };
  for (const [what, [content, message]] of Object.entries(useless)) {
    it(`${what} is named`, () =>
      assert.rejects(
        async () => connect(content),
        (error) => isAppError(error, "certificate") && message.test(error.message),
      ));
  }
});
