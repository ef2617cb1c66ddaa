import * as vscode from "vscode";
import { commands, panels } from "../../ids.ts";
import type { FormPagesOptions } from "../../shared/host/formPages.ts";
import { restorePanels } from "../../shared/host/restorePanels.ts";
import type { HandlerKind } from "../../mindsdb/handlers.ts";
import type { DataSourceActionOptions, EngineRef, WantedEngine } from "./dataSourceActions.ts";
import type { DataSourceForms } from "./dataSourceForms.ts";
import type { DataSourceRef } from "./dataSourceFormPage.ts";

interface DataSourceCommandsOptions extends FormPagesOptions {
  /** Reloads the connection's data sources, or ML engines, and selects this one. */
  reveal: (source: DataSourceRef, kind: HandlerKind) => Promise<void>;
}

/** The commands and forms of data sources and ML engines, loaded when they are first used. */
export class DataSourceCommands implements vscode.Disposable {
  readonly #options: DataSourceCommandsOptions;
  readonly #subscriptions: vscode.Disposable[];
  #forms: Promise<DataSourceForms> | undefined;

  constructor(options: DataSourceCommandsOptions) {
    this.#options = options;
    const register = vscode.commands.registerCommand;
    const actionOptions: DataSourceActionOptions = {
      ...options,
      loadForms: () => this.loadForms(),
    };
    this.#subscriptions = [
      restorePanels(panels.dataSourceForm, () => this.loadForms()),
      register(commands.dataSourceConnect, async (given?: { connectionId: string }) => {
        const { connectInForm } = await import("./dataSourceActions.ts");
        await connectInForm(actionOptions, given);
      }),
      register(commands.dataSourceEdit, async (given?: DataSourceRef) => {
        const { editInForm } = await import("./editDataSource.ts");
        await editInForm(actionOptions, given);
      }),
      register(commands.dataSourceCopyAsSql, async (given?: DataSourceRef) => {
        const { copyAsSql } = await import("./editDataSource.ts");
        await copyAsSql(actionOptions, given);
      }),
      register(commands.dataSourceReconnect, async (given?: DataSourceRef) => {
        const { reconnect } = await import("./changeDataSource.ts");
        await reconnect(options, given);
      }),
      register(commands.dataSourceDisconnect, async (given?: DataSourceRef) => {
        const { confirmAndDisconnect } = await import("./changeDataSource.ts");
        await confirmAndDisconnect(options, given);
      }),
      register(commands.mlEngineCreate, async (given?: WantedEngine) => {
        const { createEngineInForm } = await import("./dataSourceActions.ts");
        await createEngineInForm(actionOptions, given);
      }),
      register(commands.mlEngineDelete, async (given?: DataSourceRef) => {
        const { confirmAndDelete } = await import("./mlEngineActions.ts");
        await confirmAndDelete(options, given);
      }),
      register(commands.mlEngineCopyAsSql, async (given?: DataSourceRef) => {
        const { copyEngineAsSql } = await import("./mlEngineActions.ts");
        await copyEngineAsSql(actionOptions, given);
      }),
      register(commands.dataSourceInstallDriver, async (given: EngineRef) => {
        const { installDriverOf } = await import("./dataSourceActions.ts");
        await installDriverOf(actionOptions, given);
      }),
    ];
  }

  /** The forms; the same object each time. */
  loadForms(): Promise<DataSourceForms> {
    this.#forms ??= import("./dataSourceForms.ts").then(
      ({ DataSourceForms }) =>
        new DataSourceForms({
          ...this.#options,
          onSaved: (source, kind) => void this.#options.reveal(source, kind),
        }),
    );
    return this.#forms;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}
