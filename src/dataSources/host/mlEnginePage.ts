import * as vscode from "vscode";
import { commands, panels } from "../../ids.ts";
import { AppError, isAppError } from "../../mindsdb/errors.ts";
import type { Client } from "../../mindsdb/http/client.ts";
import { listModelsOfHandler, listStoredEngines } from "../../mindsdb/mlEngines.ts";
import type { ItemRef } from "../../mindsdb/references.ts";
import { executeCommand } from "../../shared/host/commands.ts";
import { ItemPage, type ItemPageOptions } from "../../shared/host/itemPage.ts";
import { OpenItemPages } from "../../shared/host/openItemPages.ts";
import type { Handlers } from "../../shared/pageProtocol.ts";
import { listParameters } from "../createEngineStatement.ts";
import { mlEngineCalls, type MlEngineContent } from "../mlEnginePage.ts";
import { unknownHandler } from "./editDataSource.ts";

export const createMlEnginePages = (options: ItemPageOptions) =>
  new OpenItemPages({
    ...options,
    viewType: panels.mlEngine,
    page: "mlEngine",
    icon: "mlEngine",
    calls: mlEngineCalls,
    create: (engine) => new MlEnginePage(engine, options),
  });

/** An engine belongs to its server, so the project of its reference is empty. */
export class MlEnginePage extends ItemPage<MlEngineContent, typeof mlEngineCalls> {
  readonly handlers: Handlers<typeof mlEngineCalls>;

  constructor(item: ItemRef, options: ItemPageOptions) {
    super({ item, list: "mlEngines" }, {}, options);
    this.handlers = {
      ...this.itemHandlers,
      copyAsSql: () => executeCommand(commands.mlEngineCopyAsSql, item),
      remove: () => (this.isGone ? undefined : executeCommand(commands.mlEngineDelete, item)),
      showModel: (model) => executeCommand(commands.modelShow, { ...item, ...model }),
    };
    void this.load();
  }

  protected override async read(client: Client, signal: AbortSignal): Promise<MlEngineContent> {
    const engines = await listStoredEngines(client, { signal });
    const engine = engines.find(({ name }) => name === this.item.name);
    if (!engine) throw new AppError("notFound", this.item.name);
    const { handler } = engine;
    const models = await listModelsOfHandler(client, handler, { signal }).catch(() => undefined);
    const parameters = listParameters(unknownHandler("ml", handler), engine);
    return {
      handler,
      parameters: parameters.map(({ name, text, isHidden }) =>
        isHidden ? { name } : { name, value: client.secrets.redact(text) },
      ),
      models,
      hasSiblings: engines.filter((one) => one.handler === handler).length > 1,
    };
  }

  protected override explainGone(error: unknown): string | undefined {
    const { name } = this.item;
    if (!isAppError(error, "notFound") || error.message !== name) return undefined;
    return vscode.l10n.t("The ML engine {0} no longer exists.", name);
  }
}
