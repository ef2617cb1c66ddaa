// What is sent of a file: its bytes, or for JSON Lines the array that is made of them.
import type { FileUpload } from "../mindsdb/files.ts";
import { toJsonArray } from "./jsonLines.ts";

/** A file, wherever it is. `read` starts at the beginning each time. */
export interface SourceFile {
  name: string;
  /** In bytes. */
  size: number;
  read(): AsyncIterable<Uint8Array>;
}

/** File name endings that can be uploaded. */
export const uploadEndings = ["csv", "json", "jsonl", "xlsx", "parquet"];

/** The upload of a file. `onSent` is told how many bytes of it were sent. */
export async function createUpload(
  file: SourceFile,
  onSent: (bytes: number) => void,
  signal?: AbortSignal,
): Promise<FileUpload> {
  const isLines = /\.jsonl$/i.test(file.name);
  const convert = (): AsyncIterable<Uint8Array> =>
    isLines ? toJsonArray(file.read()) : file.read();
  let length = file.size;
  if (isLines) {
    length = 0;
    for await (const chunk of convert()) {
      signal?.throwIfAborted();
      length += chunk.length;
    }
  }
  return {
    fileName: isLines ? file.name.replace(/\.jsonl$/i, ".json") : file.name,
    length,
    async *read() {
      let sent = 0;
      onSent(0);
      for await (const chunk of convert()) {
        yield chunk;
        sent += chunk.length;
        onSent(sent);
      }
    },
  };
}

/** A name for the table of a file: lower case, without what SQL needs quotes for. */
export function proposeTableName(fileName: string): string {
  const name = fileName
    .replace(/\.[^.]*$/, "")
    // Separates accents from their letters.
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\s.-]+/g, "_")
    .replace(/[^a-z0-9_]/g, "");
  return /^[a-z_]/.test(name) ? name : `t_${name}`;
}

/** True for a name that servers and SQL read alike. */
export function isTableName(name: string): boolean {
  return /^[a-z_][a-z0-9_]*$/.test(name);
}
