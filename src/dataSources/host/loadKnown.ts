import * as vscode from "vscode";
import type { ServerAccess } from "../../shared/connection.ts";
import { listDatabases } from "../../mindsdb/dataSources.ts";
import { AppError } from "../../mindsdb/errors.ts";
import { listHandlers, type Handler, type HandlerKind } from "../../mindsdb/handlers.ts";
import { nullIfAbsent } from "../../mindsdb/isListAbsent.ts";
import { listMlEngines } from "../../mindsdb/mlEngines.ts";
import type { Known, Taken } from "../validation.ts";

/** Reads what the form of an engine needs to know. The handler need not be read if it is given. Throws AppError. */
export async function loadKnown(
  servers: ServerAccess,
  connectionId: string,
  { kind, engine, handler }: { kind: HandlerKind; engine: string; handler?: Handler | undefined },
): Promise<Known> {
  const client = await servers.client(connectionId);
  const [taken, engines, found] = await Promise.all([
    listDatabases(client).catch(nullIfAbsent),
    // They share the names of data sources, of which servers tell only afterwards.
    listMlEngines(client).catch(() => []),
    handler ??
      listHandlers(client, { kind }).then((all) => all.find(({ name }) => name === engine)),
  ]);
  if (!found) {
    throw new AppError("notFound", vscode.l10n.t("This server has no handler for {0}.", engine));
  }
  const ofEngines = engines.map(({ name }): Taken => ({ name, kind: "mlEngine" }));
  const ofDatabases = taken?.map(({ name, kind }): Taken => ({ name, kind }));
  return { handler: found, taken: ofDatabases ? [...ofDatabases, ...ofEngines] : null };
}
