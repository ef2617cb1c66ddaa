import * as vscode from "vscode";
import { commands, panels } from "../../ids.ts";
import { ItemPages } from "../../shared/host/itemPages.ts";
import { restorePanels } from "../../shared/host/restorePanels.ts";
import type { KnowledgeBaseRef, TableRef } from "../../mindsdb/references.ts";
import type { createDocumentsPages } from "./documentsPage.ts";
import type { FillPages } from "./fillPages.ts";
import type { KnowledgeBaseForms } from "./knowledgeBaseForms.ts";
import type { createKnowledgeBasePages, KnowledgeBasePageOptions } from "./knowledgeBasePage.ts";
import type { KnowledgeBaseWriters } from "./knowledgeBaseWriters.ts";
import type { PickTable } from "./pickSource.ts";

type Pages = ItemPages<KnowledgeBaseRef, never, ReturnType<typeof createKnowledgeBasePages>>;
type DocumentPages = ItemPages<KnowledgeBaseRef, never, ReturnType<typeof createDocumentsPages>>;

/** Where a new knowledge base is wanted. */
type NewPlace = Partial<KnowledgeBaseRef> & { connectionId: string };
/** A knowledge base, with files that were dropped on it. */
type FilledPlace = KnowledgeBaseRef & { files?: readonly vscode.Uri[] };
type Pick = (title: string, connectionId?: string) => Promise<KnowledgeBaseRef | undefined>;

interface KnowledgeBaseCommandsOptions extends KnowledgeBasePageOptions {
  /** The folder for unsaved changes of closed forms. */
  draftsFolder: string;
  /** Reloads the project's knowledge bases and selects this one. */
  reveal: (knowledgeBase: KnowledgeBaseRef) => Promise<void>;
}

/** The commands and pages of knowledge bases, loaded when they are first used. */
export class KnowledgeBaseCommands implements vscode.Disposable {
  readonly pages: Pages;
  readonly documents: DocumentPages;
  readonly #options: KnowledgeBaseCommandsOptions;
  readonly #subscriptions: vscode.Disposable[];
  readonly #pick: Pick;
  readonly #pickTable: PickTable;
  #writers: Promise<KnowledgeBaseWriters> | undefined;
  #fill: Promise<FillPages> | undefined;
  #forms: Promise<KnowledgeBaseForms> | undefined;

  /** The functions ask the user for what a command is not given, of one connection if it is known. */
  constructor(
    options: KnowledgeBaseCommandsOptions,
    pick: Pick,
    pickTable: (title: string, connectionId?: string) => Promise<TableRef | undefined>,
  ) {
    this.#options = options;
    this.#pick = pick;
    const register = vscode.commands.registerCommand;
    this.#pickTable = pickTable;
    this.pages = new ItemPages({
      viewType: panels.knowledgeBase,
      showCommand: commands.knowledgeBaseShow,
      pick: () => pick(vscode.l10n.t("Show a Knowledge Base")),
      load: async () => (await import("./knowledgeBasePage.ts")).createKnowledgeBasePages(options),
    });
    this.documents = new ItemPages({
      viewType: panels.knowledgeBaseDocuments,
      showCommand: commands.knowledgeBaseBrowse,
      pick: () => pick(vscode.l10n.t("Browse Documents")),
      load: async () => {
        const { createDocumentsPages } = await import("./documentsPage.ts");
        return createDocumentsPages({ ...options, writers: await this.#loadWriters() });
      },
    });
    this.#subscriptions = [
      this.pages,
      this.documents,
      restorePanels(panels.knowledgeBaseFill, () => this.loadFill()),
      restorePanels(panels.knowledgeBaseForm, () => this.loadForms()),
      register(commands.knowledgeBaseCreate, async (given?: NewPlace) => {
        const { createInForm } = await import("./knowledgeBaseActions.ts");
        await createInForm(this.#options, given, () => this.loadForms());
      }),
      register(commands.knowledgeBaseEdit, (given?: KnowledgeBaseRef) =>
        this.#run("editInForm", vscode.l10n.t("Edit a Knowledge Base"), given),
      ),
      register(commands.knowledgeBaseDelete, (given?: KnowledgeBaseRef) =>
        this.#run("confirmAndDelete", vscode.l10n.t("Delete a Knowledge Base"), given),
      ),
      register(commands.knowledgeBaseCopyStatement, (given?: KnowledgeBaseRef) =>
        this.#run("copyCreateStatement", vscode.l10n.t("Copy a CREATE Statement"), given),
      ),
      register(commands.knowledgeBaseAddContent, async (given?: FilledPlace) => {
        const item = given ?? (await pick(vscode.l10n.t("Add Content to a Knowledge Base")));
        if (!item) return;
        const files =
          given?.files && (await (await import("./pickSource.ts")).sourceOfFiles(given.files));
        await (await this.loadFill()).open(item, files);
      }),
      register(commands.tableAddToKnowledgeBase, async (given?: TableRef) => {
        const title = vscode.l10n.t("Add a Table to a Knowledge Base");
        const table = given ?? (await pickTable(title));
        const item = table && (await pick(title, table.connectionId));
        if (!item) return;
        const { project, name } = table;
        await (await this.loadFill()).open(item, { kind: "table", project, name });
      }),
    ];
  }

  /** The pages that add content; the same object each time. */
  loadFill(): Promise<FillPages> {
    this.#fill ??= (async () => {
      const { FillPages } = await import("./fillPages.ts");
      return new FillPages({
        ...this.#options,
        pickTable: this.#pickTable,
        writers: await this.#loadWriters(),
      });
    })();
    return this.#fill;
  }

  /** Shared by fills and deletions, so that they know about each other. */
  #loadWriters(): Promise<KnowledgeBaseWriters> {
    this.#writers ??= import("./knowledgeBaseWriters.ts").then(
      ({ KnowledgeBaseWriters }) => new KnowledgeBaseWriters(this.#options),
    );
    return this.#writers;
  }

  /** The forms that create and change; the same object each time. */
  loadForms(): Promise<KnowledgeBaseForms> {
    this.#forms ??= import("./knowledgeBaseForms.ts").then(
      ({ KnowledgeBaseForms }) =>
        new KnowledgeBaseForms({
          ...this.#options,
          onSaved: (item, isNew) => {
            void this.pages.load().then((pages) => pages.open(item));
            if (isNew) void this.#options.reveal(item);
          },
        }),
    );
    return this.#forms;
  }

  async #run(
    action: "editInForm" | "confirmAndDelete" | "copyCreateStatement",
    title: string,
    given: KnowledgeBaseRef | undefined,
  ): Promise<void> {
    const item = given ?? (await this.#pick(title));
    if (!item) return;
    const { runAction } = await import("./knowledgeBaseActions.ts");
    await runAction(action, this.#options, item, {
      loadForms: () => this.loadForms(),
      loadWriters: () => this.#loadWriters(),
    });
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}
