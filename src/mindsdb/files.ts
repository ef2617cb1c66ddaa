// Uploaded files, which are tables of the data source `files`.
import { randomUUID } from "node:crypto";
import { apiPath, type CallOptions, type Client } from "./http/client.ts";
import type { StreamedBody } from "./http/transport.ts";
import { filesSource } from "./filesSource.ts";
import { quoteTable, runSql } from "./sql/runSql.ts";

/** A file to upload. Servers read it by the ending of `fileName`. */
export interface FileUpload extends StreamedBody {
  fileName: string;
}

/**
 * Uploads a file as a table. Throws AppError "refused" if there is a table of that name: nothing is overwritten (seen on
 * 26.1.0 and 25.14.1).
 */
export async function uploadFile(
  client: Client,
  name: string,
  file: FileUpload,
  options: Pick<CallOptions, "signal"> = {},
): Promise<void> {
  const boundary = `upload-${randomUUID()}`;
  // A quote or line break would end the name.
  const fileName = file.fileName.replace(/["\r\n]/g, "_");
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\n` +
      "Content-Type: application/octet-stream\r\n\r\n",
  );
  const end = Buffer.from(`\r\n--${boundary}--\r\n`);
  const body: StreamedBody = {
    length: head.length + file.length + end.length,
    async *read() {
      yield head;
      yield* file.read();
      yield end;
    },
  };
  const type = `multipart/form-data; boundary=${boundary}`;
  await client.putStream(apiPath`/api/files/${name}`, type, body, options);
}

/** Deletes an uploaded table. By SQL, because 25.14.1 deletes by HTTP only what is written in the exact case. */
export async function dropFile(client: Client, name: string): Promise<void> {
  await runSql(client, `DROP TABLE ${filesSource}.${quoteTable(name)}`);
}
