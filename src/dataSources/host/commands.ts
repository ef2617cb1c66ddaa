import { commands, panels } from "../../ids.ts";
import type { HandlerKind } from "../../mindsdb/handlers.ts";
import type { ItemRef } from "../../mindsdb/references.ts";
import { registerCommands, type TableOf } from "../../shared/host/commands.ts";
import type { FormPagesOptions } from "../../shared/host/formPages.ts";
import type { ItemPageOptions } from "../../shared/host/itemPage.ts";
import { ItemPages } from "../../shared/host/itemPages.ts";
import { restorePanels } from "../../shared/host/restorePanels.ts";
import { lazy } from "../../shared/lazy.ts";
import type { EngineRef, WantedEngine } from "./dataSourceActions.ts";
import type { DataSourceRef } from "./dataSourceFormPage.ts";
import type { EngineKind } from "./mlEngineActions.ts";

declare module "../../shared/host/commands.ts" {
  interface CommandTable extends TableOf<ReturnType<typeof registerDataSourceCommands>> {}
}

interface DataSourceCommandsOptions extends FormPagesOptions, ItemPageOptions {
  /** Reloads the connection's data sources, or ML engines, and selects this one. */
  reveal: (source: DataSourceRef, kind: HandlerKind) => Promise<void>;
}

/** Registers the commands and forms of data sources and ML engines, which are loaded when they are first used. */
export function registerDataSourceCommands(options: DataSourceCommandsOptions) {
  const loadForms = lazy(async () => {
    const { DataSourceForms } = await import("./dataSourceForms.ts");
    const onSaved = (source: DataSourceRef, kind: HandlerKind) => void options.reveal(source, kind);
    return new DataSourceForms({ ...options, onSaved });
  });
  const all = { ...options, loadForms };
  const create = () => import("./dataSourceActions.ts");
  const edit = () => import("./editDataSource.ts");
  const change = () => import("./changeDataSource.ts");
  const engines = () => import("./mlEngineActions.ts");
  const enginePages = new ItemPages({
    viewType: panels.mlEngine,
    load: async () => (await import("./mlEnginePage.ts")).createMlEnginePages(options),
  });
  const registration = registerCommands(
    {
      [commands.dataSourceConnect]: async (given?: { connectionId: string }) =>
        (await create()).connectInForm(all, given),
      [commands.dataSourceEdit]: async (given?: DataSourceRef) =>
        (await edit()).editInForm(all, given),
      [commands.dataSourceCopyAsSql]: async (given?: DataSourceRef) =>
        (await edit()).copyAsSql(all, given),
      [commands.dataSourceReconnect]: async (given?: DataSourceRef) =>
        (await change()).reconnect(all, given),
      [commands.dataSourceDisconnect]: async (given?: DataSourceRef) =>
        (await change()).confirmAndDisconnect(all, given),
      [commands.dataSourceInstallDriver]: async (given: EngineRef) =>
        (await create()).installDriverOf(all, given),
      [commands.mlEngineShow]: async (given?: DataSourceRef | EngineKind) => {
        const engine = await (await engines()).engineToShow(all, given);
        if (engine) await enginePages.show({ ...engine, project: "" } satisfies ItemRef);
      },
      [commands.mlEngineCreate]: async (given?: WantedEngine) =>
        (await create()).createEngineInForm(all, given),
      [commands.mlEngineDelete]: async (given?: DataSourceRef) =>
        (await engines()).confirmAndDelete(all, given),
      [commands.mlEngineCopyAsSql]: async (given?: DataSourceRef) =>
        (await engines()).copyEngineAsSql(all, given),
    },
    enginePages,
    restorePanels(panels.dataSourceForm, loadForms),
  );
  return { ...registration, loadForms };
}
