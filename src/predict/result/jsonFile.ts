import fs from "node:fs/promises";
import { omitStoredSecrets } from "../../shared/typedSecrets.ts";
import { replaceFile, temporaryFile } from "../../shared/files/replaceFile.ts";

/** The content of a JSON file. Throws if it is missing, invalid, or larger than any that this extension writes. */
export async function readJsonFile(file: string, maxBytes: number): Promise<unknown> {
  const { size } = await fs.stat(file);
  if (size > maxBytes) throw new Error("The file is too large.");
  return JSON.parse(await fs.readFile(file, "utf8"));
}

/** Replaces a file by one with this content without secrets, which only this user can read. */
export function writeJsonFile(file: string, content: object): Promise<void> {
  const text = JSON.stringify(omitStoredSecrets(content));
  return replaceFile(file, (part) => fs.writeFile(part, text, temporaryFile), true);
}
