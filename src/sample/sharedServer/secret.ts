// The secret of the windows that share a sample server. With it the server proves that it is theirs, and they prove that
// they may use it. A port proves nothing: every program of the machine can listen on it first.
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hasErrorCode } from "../../shared/hasErrorCode.ts";
import { openStorageFolder, privateMode } from "../../shared/node/privateFiles.ts";

const fileName = "secret";
const pattern = /^[\da-f]{64}$/;

/** Attempts to read the file while another window may be writing it. */
const attempts = 20;
const attemptEveryMs = 25;

/**
 * The secret of a storage folder. It is made with the first use, and anew if others could have read or written it. Rejects
 * if the folder is a link or another user's.
 */
export async function readSecret(folder: string): Promise<string> {
  const found = fs.lstatSync(folder, { throwIfNoEntry: false });
  if (found && (!found.isDirectory() || !isOwn(found))) {
    throw new Error(`${folder} is a link or belongs to another user`);
  }
  const file = path.join(folder, fileName);
  // Before the folder is made private, which would hide that the file was not. One that is not there yet stays: another window
  // may be making it.
  const stored = fs.lstatSync(file, { throwIfNoEntry: false });
  if (stored && !isPrivate(stored)) fs.rmSync(file, { recursive: true, force: true });
  openStorageFolder(folder);
  for (let attempt = 0; attempt < attempts; attempt++) {
    const secret = readOrCreate(file);
    if (pattern.test(secret)) return secret;
    await sleep(attemptEveryMs);
  }
  // The file is damaged.
  fs.rmSync(file);
  return readOrCreate(file);
}

function isPrivate(file: fs.Stats): boolean {
  if (!file.isFile() || !isOwn(file)) return false;
  return process.platform === "win32" || (file.mode & 0o077) === 0;
}

function isOwn({ uid }: fs.Stats): boolean {
  return process.getuid === undefined || uid === process.getuid();
}

function readOrCreate(file: string): string {
  const secret = randomBytes(32).toString("hex");
  try {
    fs.writeFileSync(file, secret, { flag: "wx", mode: privateMode });
    return secret;
  } catch (error) {
    if (!hasErrorCode(error, "EEXIST")) throw error;
    return fs.readFileSync(file, "utf8");
  }
}

/** The server's answer to a challenge. It is of no use at another port or for another challenge. */
export function computeProof(secret: string, port: number, challenge: string): string {
  return hmac(secret, `server at port ${port} answers ${challenge}`);
}

/** The token that windows send with each request. */
export function bearerToken(secret: string): string {
  return hmac(secret, "window");
}

function hmac(secret: string, text: string): string {
  return createHmac("sha256", secret).update(text).digest("hex");
}

/** Compares in a time that does not tell how much is the same. */
export function isSameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
