import * as vscode from "vscode";
import { splitEntry, formatEntry } from "../../mindsdb/dataPatterns.ts";
import type { ItemRef, TableRef } from "../../mindsdb/references.ts";
import { createTrigger } from "../../mindsdb/triggers.ts";
import {
  FormPage,
  ProblemError,
  type FormPageOptions,
  type OpenedForm,
} from "../../shared/host/formPage.ts";
import type { Problem } from "../../shared/formPage.ts";
import type { Handlers } from "../../shared/pageProtocol.ts";
import { splitColumns, type TriggerDraft, type TriggerField } from "../triggerDraft.ts";
import {
  triggerFormTitle,
  type TriggerContent,
  type TriggerForm,
  type triggerFormCalls,
} from "../triggerForm.ts";
import { findTriggerProblem, validateTrigger } from "../validation.ts";
import { loadTriggerChoices } from "./triggerServer.ts";

export interface TriggerFormOptions extends FormPageOptions {
  pickTable: (title: string, connectionId: string) => Promise<TableRef | undefined>;
  /** The trigger was created. */
  onSaved: (trigger: ItemRef) => void;
}

export class TriggerFormPage extends FormPage<
  TriggerForm,
  TriggerField,
  TriggerContent,
  typeof triggerFormCalls
> {
  readonly handlers: Handlers<typeof triggerFormCalls>;
  readonly #options: TriggerFormOptions;

  constructor(opened: OpenedForm<TriggerForm, TriggerContent>, options: TriggerFormOptions) {
    super(opened, options);
    this.#options = options;
    this.handlers = {
      ...this.formHandlers,
      pickTable: async () => {
        const picked = await options.pickTable(vscode.l10n.t("Select a Table"), this.connectionId);
        return picked && tableEntry(picked);
      },
    };
    if (!opened.content.choices) void this.load();
  }

  get title(): string {
    return triggerFormTitle();
  }

  protected override async send(
    draft: TriggerDraft,
    _: unknown,
    signal: AbortSignal,
  ): Promise<undefined> {
    const { servers, onSaved } = this.#options;
    const { connectionId } = this;
    const { project, name, query } = draft;
    const client = await servers.client(connectionId);
    // The form's choices may be old.
    const choices = await loadTriggerChoices(servers, connectionId, signal);
    const wrong = validateTrigger(draft, choices).find(({ isWarning = false }) => !isWarning);
    if (wrong) throw new ProblemError<TriggerField>(wrong);
    const [source = "", ...path] = splitEntry(draft.table);
    // Servers know the tables of the default schema without it.
    const table = path.at(-1) ?? "";
    await this.allowWrite(
      {
        what: vscode.l10n.t("Create the trigger {0} in {1}", name, project),
        button: vscode.l10n.t("Create"),
        detail: [
          vscode.l10n.t(
            "The server runs its statement automatically for each row added to or changed in {0}.",
            draft.table,
          ),
          vscode.l10n.t(
            "MindsDB creates a trigger and a function in the database of {0}. The data source's user needs permission for both.",
            source,
          ),
        ],
      },
      signal,
    );
    const columns = splitColumns(draft.columns);
    await createTrigger(client, project, { name, source, table, columns, query }, { signal });
    this.closeSaved(name);
    onSaved({ connectionId, project, name });
    return undefined;
  }

  protected override findProblem(
    error: unknown,
    draft: TriggerDraft,
  ): Problem<TriggerField> | undefined {
    return findTriggerProblem(error, draft);
  }

  protected override load(): Promise<void> {
    const { servers } = this.#options;
    return this.loadContent(async (signal) => ({
      choices: await loadTriggerChoices(servers, this.connectionId, signal),
    }));
  }
}

/** The entry of a table: data source, schema if any, and name. */
export function tableEntry({ project, name }: TableRef): string {
  return formatEntry([project, ...splitEntry(name)]);
}
