import * as vscode from "vscode";
import { commands, panels } from "../../ids.ts";
import { AppError, isAppError } from "../../mindsdb/errors.ts";
import type { Client } from "../../mindsdb/http/client.ts";
import type { ItemRef } from "../../mindsdb/references.ts";
import { createTriggerStatement, listTriggers } from "../../mindsdb/triggers.ts";
import { executeCommand } from "../../shared/host/commands.ts";
import { ItemPage, type ItemPageOptions } from "../../shared/host/itemPage.ts";
import { showStatus } from "../../shared/host/notifications.ts";
import { OpenItemPages } from "../../shared/host/openItemPages.ts";
import type { Handlers } from "../../shared/pageProtocol.ts";
import { describeGone } from "../../shared/itemGone.ts";
import { triggerCalls, type TriggerContent } from "../triggerPage.ts";

export const createTriggerPages = (options: ItemPageOptions) =>
  new OpenItemPages({
    ...options,
    viewType: panels.trigger,
    page: "trigger",
    icon: "trigger",
    calls: triggerCalls,
    create: (trigger) => new TriggerPage(trigger, options),
  });

export class TriggerPage extends ItemPage<TriggerContent, typeof triggerCalls> {
  readonly handlers: Handlers<typeof triggerCalls>;

  constructor(item: ItemRef, options: ItemPageOptions) {
    super({ item, list: "triggers" }, {}, options);
    this.handlers = {
      ...this.itemHandlers,
      copyStatement: () => this.#copyStatement(),
      remove: async () => {
        if (!this.isGone) await executeCommand(commands.triggerDelete, item);
      },
    };
    void this.load();
  }

  protected override async read(client: Client, signal: AbortSignal): Promise<TriggerContent> {
    const { project, name } = this.item;
    const triggers = await listTriggers(client, project, { signal });
    const trigger = triggers.find((one) => one.name === name);
    if (!trigger) throw new AppError("notFound", name);
    return { trigger };
  }

  protected override explainGone(error: unknown): string | undefined {
    const isGone = isAppError(error, "notFound") && error.message === this.item.name;
    return isGone ? describeGone(this.item) : undefined;
  }

  async #copyStatement(): Promise<void> {
    const { trigger } = this.state.current;
    if (!trigger) return;
    const { name, source = "<data_source>", table, query } = trigger;
    const statement = createTriggerStatement(this.item.project, {
      ...{ name, source, table, query },
      columns: [],
    });
    await vscode.env.clipboard.writeText(statement);
    showStatus(vscode.l10n.t("Copied {0}", name), 3_000);
  }
}
