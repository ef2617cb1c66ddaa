import type { Client } from "../../src/mindsdb/http/client.ts";
import { uploadFile } from "../../src/mindsdb/files.ts";
import {
  createUpload,
  explainUploadError,
  type SourceFile,
} from "../../src/tables/uploadSource.ts";

/** Uploads a file as the product does, as this table. Rejects with what a user is told. */
export async function uploadAsUser(
  client: Client,
  table: string,
  { name, content, isText }: { name: string; content: string | Buffer; isText?: boolean },
): Promise<void> {
  const bytes = Buffer.from(content);
  const source: SourceFile = {
    name,
    size: bytes.length,
    ...(isText !== undefined && { isText }),
    // eslint-disable-next-line @typescript-eslint/require-await
    async *read() {
      yield bytes;
    },
  };
  try {
    await uploadFile(client, table, await createUpload(source, () => undefined));
  } catch (error) {
    throw await explainUploadError(error, source);
  }
}
