import * as vscode from "vscode";
import { commands, panels } from "../../ids.ts";
import type { KnowledgeBaseRef, TableRef } from "../../mindsdb/references.ts";
import { registerCommands, type TableOf } from "../../shared/host/commands.ts";
import { ItemPages } from "../../shared/host/itemPages.ts";
import { restorePanels } from "../../shared/host/restorePanels.ts";
import { lazy } from "../../shared/lazy.ts";
import type { createDocumentsPages } from "./documentsPage.ts";
import type { createKnowledgeBasePages, KnowledgeBasePageOptions } from "./knowledgeBasePage.ts";

declare module "../../shared/host/commands.ts" {
  interface CommandTable extends TableOf<ReturnType<typeof registerKnowledgeBaseCommands>> {}
}

type Pages = ItemPages<KnowledgeBaseRef, never, ReturnType<typeof createKnowledgeBasePages>>;
type DocumentPages = ItemPages<KnowledgeBaseRef, never, ReturnType<typeof createDocumentsPages>>;

/** Where a new knowledge base is wanted. */
type NewPlace = Partial<KnowledgeBaseRef> & { connectionId: string };
/** A knowledge base, with files that were dropped on it. */
type FilledPlace = KnowledgeBaseRef & { files?: readonly vscode.Uri[] };

interface KnowledgeBaseCommandsOptions extends KnowledgeBasePageOptions {
  /** The folder for unsaved changes of closed forms. */
  draftsFolder: string;
  /** Reloads the project's knowledge bases and selects this one. */
  reveal: (knowledgeBase: KnowledgeBaseRef) => Promise<void>;
}

/**
 * Registers the commands and pages of knowledge bases, which are loaded when they are first used. The functions ask the user
 * for what a command is not given, of one connection if it is known.
 */
export function registerKnowledgeBaseCommands(
  options: KnowledgeBaseCommandsOptions,
  pick: (title: string, connectionId?: string) => Promise<KnowledgeBaseRef | undefined>,
  pickTable: (title: string, connectionId?: string) => Promise<TableRef | undefined>,
) {
  const pages: Pages = new ItemPages({
    viewType: panels.knowledgeBase,
    pick: () => pick(vscode.l10n.t("Show a Knowledge Base")),
    load: async () => (await import("./knowledgeBasePage.ts")).createKnowledgeBasePages(options),
  });
  const documents: DocumentPages = new ItemPages({
    viewType: panels.knowledgeBaseDocuments,
    pick: () => pick(vscode.l10n.t("Browse Documents")),
    load: async () => {
      const { createDocumentsPages } = await import("./documentsPage.ts");
      return createDocumentsPages({ ...options, writers: await loadWriters() });
    },
  });
  /** Shared by fills and deletions, so that they know about each other. */
  const loadWriters = lazy(async () => {
    const { KnowledgeBaseWriters } = await import("./knowledgeBaseWriters.ts");
    return new KnowledgeBaseWriters(options);
  });
  /** The pages that add content. */
  const loadFill = lazy(async () => {
    const { FillPages } = await import("./fill/fillPages.ts");
    return new FillPages({ ...options, pickTable, writers: await loadWriters() });
  });
  /** The forms that create and change. */
  const loadForms = lazy(async () => {
    const { KnowledgeBaseForms } = await import("./form/knowledgeBaseForms.ts");
    return new KnowledgeBaseForms({
      ...options,
      onSaved: (item, isNew) => {
        void pages.show(item);
        if (isNew) void options.reveal(item);
      },
    });
  });
  const run = async (
    action: "editInForm" | "confirmAndDelete" | "copyCreateStatement",
    title: string,
    given: KnowledgeBaseRef | undefined,
  ): Promise<void> => {
    const item = given ?? (await pick(title));
    if (!item) return;
    const { runAction } = await import("./knowledgeBaseActions.ts");
    await runAction(action, options, item, { loadForms, loadWriters });
  };
  const registration = registerCommands(
    {
      [commands.knowledgeBaseShow]: pages.show,
      [commands.knowledgeBaseBrowse]: documents.show,
      [commands.knowledgeBaseCreate]: async (given?: NewPlace) => {
        const { createInForm } = await import("./knowledgeBaseActions.ts");
        await createInForm(options, given, loadForms);
      },
      [commands.knowledgeBaseEdit]: (given?: KnowledgeBaseRef) =>
        run("editInForm", vscode.l10n.t("Edit a Knowledge Base"), given),
      [commands.knowledgeBaseDelete]: (given?: KnowledgeBaseRef) =>
        run("confirmAndDelete", vscode.l10n.t("Delete a Knowledge Base"), given),
      [commands.knowledgeBaseCopyStatement]: (given?: KnowledgeBaseRef) =>
        run("copyCreateStatement", vscode.l10n.t("Copy a CREATE Statement"), given),
      [commands.knowledgeBaseAddContent]: async (given?: FilledPlace) => {
        const item = given ?? (await pick(vscode.l10n.t("Add Content to a Knowledge Base")));
        if (!item) return;
        const files =
          given?.files && (await (await import("./fill/pickSource.ts")).sourceOfFiles(given.files));
        await (await loadFill()).open(item, files);
      },
      [commands.tableAddToKnowledgeBase]: async (given?: TableRef) => {
        const title = vscode.l10n.t("Add a Table to a Knowledge Base");
        const table = given ?? (await pickTable(title));
        const item = table && (await pick(title, table.connectionId));
        if (!item) return;
        const { project, name } = table;
        await (await loadFill()).open(item, { kind: "table", project, name });
      },
    },
    pages,
    documents,
    restorePanels(panels.knowledgeBaseFill, loadFill),
    restorePanels(panels.knowledgeBaseForm, loadForms),
  );
  return { ...registration, pages };
}
