// The names and pins that the user has given stored conversations: a small file for each of them.
import fs from "node:fs/promises";
import * as v from "valibot";
import { omitStoredSecrets } from "../../shared/typedSecrets.ts";
import { privateMode } from "../../shared/node/privateFiles.ts";

/** In characters; files are read with longer ones, too. */
export const maxTitleLength = 120;

const chatLabel = v.object({
  /** Shown instead of the first question. */
  title: v.optional(v.string()),
  /** Listed first, and not deleted when there are too many. */
  isPinned: v.optional(v.boolean()),
});
export type ChatLabel = v.InferOutput<typeof chatLabel>;

/** Returns the label in a file; an empty one if the file is missing or unreadable. */
export async function readLabel(file: string): Promise<ChatLabel> {
  try {
    const read = v.safeParse(chatLabel, JSON.parse(await fs.readFile(file, "utf8")));
    return read.success ? read.output : {};
  } catch {
    return {};
  }
}

export async function writeLabel(file: string, { title, isPinned }: ChatLabel): Promise<void> {
  if (title === undefined && isPinned !== true) {
    await fs.rm(file, { force: true });
    return;
  }
  const text = JSON.stringify(omitStoredSecrets({ title, isPinned }));
  await fs.writeFile(file, text, { mode: privateMode });
}
