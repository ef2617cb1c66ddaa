import fs from "node:fs";
import path from "node:path";

const tlsFolder = path.resolve(import.meta.dirname, "..", "..", "fixtures", "tls");

/** The file of a self-signed certificate for `localhost`. */
export const caFile = path.join(tlsFolder, "cert.pem");
/** That certificate, and its key. */
export const ownTls = {
  cert: fs.readFileSync(caFile, "utf8"),
  key: fs.readFileSync(path.join(tlsFolder, "key.pem"), "utf8"),
};
