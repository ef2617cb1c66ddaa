import * as vscode from "vscode";
import type { ServerAccess } from "../../connections/connection.ts";
import { listDatabases } from "../../mindsdb/dataSources.ts";
import { AppError } from "../../mindsdb/errors.ts";
import { listHandlers, type Handler } from "../../mindsdb/handlers.ts";
import { isListAbsent } from "../../mindsdb/isListAbsent.ts";
import type { Known } from "../validation.ts";

/** Reads what the form of an engine needs to know. The handler need not be read if it is given. Throws AppError. */
export async function loadKnown(
  servers: ServerAccess,
  connectionId: string,
  { engine, handler }: { engine: string; handler?: Handler | undefined },
): Promise<Known> {
  const client = await servers.client(connectionId);
  const [taken, found] = await Promise.all([
    listDatabases(client).catch((error: unknown) => {
      if (isListAbsent(error)) return null;
      throw error;
    }),
    handler ?? listHandlers(client).then((all) => all.find(({ name }) => name === engine)),
  ]);
  if (!found) {
    throw new AppError("notFound", vscode.l10n.t("This server has no handler for {0}.", engine));
  }
  return { handler: found, taken: taken?.map(({ name, kind }) => ({ name, kind })) ?? null };
}
