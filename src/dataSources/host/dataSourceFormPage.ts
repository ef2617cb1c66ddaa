import * as vscode from "vscode";
import { commands } from "../../ids.ts";
import {
  createDataSource,
  getDataSource,
  testDataSource,
  updateDataSource,
  type ConnectionCheck,
  type StoredDataSource,
} from "../../mindsdb/dataSourceChanges.ts";
import { cutOff } from "../../mindsdb/cutText.ts";
import { isAppError } from "../../mindsdb/errors.ts";
import type { Handler, HandlerKind } from "../../mindsdb/handlers.ts";
import type { Client } from "../../mindsdb/http/client.ts";
import type { JsonObject } from "../../mindsdb/json.ts";
import { createMlEngine } from "../../mindsdb/mlEngines.ts";
import { bindCommand } from "../../shared/host/commands.ts";
import {
  FormPage,
  ProblemError,
  type FormPageOptions,
  type OpenedForm,
} from "../../shared/host/formPage.ts";
import type { Problem } from "../../shared/formPage.ts";
import { escapeInvisible } from "../../shared/oneLine.ts";
import type { TabIcon } from "../../shared/host/tabIcons.ts";
import type { Handlers } from "../../shared/pageProtocol.ts";
import {
  buildParameters,
  fieldOf,
  listSecrets,
  omitTypedKeys,
  shownFields,
  type DataSourceDraft,
  type Keys,
} from "../dataSourceDraft.ts";
import {
  formTitle,
  type DataSourceForm,
  type dataSourceFormCalls,
  type Field,
  type FormContent,
} from "../dataSourceForm.ts";
import { findConnectionProblem, findEngineProblem, findMissingDriver } from "../serverErrors.ts";
import { buildChanges, findMask, listStoredSecrets, type StoredDraft } from "../storedDraft.ts";
import { validateDraft, type Known } from "../validation.ts";
import { loadKnown } from "./loadKnown.ts";

export interface DataSourceRef {
  connectionId: string;
  name: string;
}

export interface DataSourceFormOptions extends FormPageOptions {
  /** The data source was created. */
  onSaved: (source: DataSourceRef, kind: HandlerKind) => void;
}

/** A longer address cannot be read before it is opened. */
const maxShownAddress = 2_000;

export class DataSourceFormPage extends FormPage<
  DataSourceForm,
  Field,
  FormContent,
  typeof dataSourceFormCalls
> {
  readonly handlers: Handlers<typeof dataSourceFormCalls>;
  readonly #options: DataSourceFormOptions;

  constructor(opened: OpenedForm<DataSourceForm, FormContent>, options: DataSourceFormOptions) {
    super(opened, options);
    this.#options = options;
    this.handlers = {
      ...this.formHandlers,
      test: (draft, keys) => {
        this.update({ isTesting: true });
        return this.submit(draft, keys, (signal) => this.#test(draft, keys, signal)).finally(() =>
          this.update({ isTesting: false }),
        );
      },
    };
    if (!opened.content.known) void this.load();
  }

  get title(): string {
    return formTitle(this.state.current.known, this.form);
  }

  get icon(): TabIcon | undefined {
    return this.form.isMlEngine ? "mlEngine" : undefined;
  }

  get #kind(): HandlerKind {
    return this.form.isMlEngine ? "ml" : "data";
  }

  /** The server may have the driver now. */
  reload(): void {
    void this.load();
  }

  protected override async send(
    draft: DataSourceDraft,
    keys: Keys,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const known = await this.#readKnown();
    return this.form.before
      ? this.#change(known, draft, keys, signal)
      : this.#create(known, draft, keys, signal);
  }

  async #create(
    known: Known,
    draft: DataSourceDraft,
    keys: Keys,
    signal: AbortSignal,
  ): Promise<undefined> {
    const { connectionId } = this;
    const { isMlEngine } = this.form;
    const { handler } = known;
    const { name, engine } = draft;
    throwIfNameTaken(known, draft);
    const [change, refusal] = isMlEngine
      ? [
          {
            what: vscode.l10n.t("Create the ML engine {0} ({1})", name, handler.title),
            button: vscode.l10n.t("Create"),
            detail: vscode.l10n.t("The server stores its parameters, including keys."),
          },
          vscode.l10n.t("Not created."),
        ]
      : [
          {
            what: vscode.l10n.t("Connect the data source {0} ({1})", name, handler.title),
            button: vscode.l10n.t("Connect"),
            detail: vscode.l10n.t("The server stores the connection details, including passwords."),
          },
          vscode.l10n.t("Not connected."),
        ];
    await this.allowWrite(change, signal, refusal);
    const client = await this.#clientFor(known, draft, keys);
    const parameters = buildParameters(handler, draft, keys);
    if (isMlEngine) {
      await createMlEngine(client, { name, handler: engine, parameters }, { signal });
    } else {
      const check = await createDataSource(client, { name, engine, parameters }, { signal });
      this.#throwUnlessConnected(check, known, draft);
    }
    this.closeSaved(
      name,
      isMlEngine ? vscode.l10n.t("Created {0}", name) : vscode.l10n.t("Connected {0}", name),
    );
    this.#options.onSaved({ connectionId, name }, isMlEngine ? "ml" : "data");
  }

  async #change(
    known: Known,
    draft: DataSourceDraft,
    keys: Keys,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { onSaved } = this.#options;
    const { connectionId } = this;
    const { handler } = known;
    const { name } = draft;
    const parameters = buildChanges(handler, this.#before(), draft, keys);
    if (Object.keys(parameters).length === 0) return vscode.l10n.t("Nothing has changed.");
    await this.allowWrite(
      {
        what: vscode.l10n.t("Change the data source {0} ({1})", name, handler.title),
        button: vscode.l10n.t("Save"),
        detail: vscode.l10n.t("These parameters are sent: {0}", Object.keys(parameters).join(", ")),
      },
      signal,
    );
    const client = await this.#clientFor(known, draft, keys);
    await this.#readStored(client, handler, draft, signal);
    const check = await updateDataSource(client, { name, parameters }, { signal });
    this.#throwUnlessConnected(check, known, draft);
    client.observe({ kind: "changed", list: "tables", project: name });
    this.closeSaved(name);
    onSaved({ connectionId, name }, "data");
    return undefined;
  }

  protected override omitKeys(draft: DataSourceDraft): DataSourceDraft {
    return omitTypedKeys(draft);
  }

  protected override findProblem(error: unknown, draft: DataSourceDraft): Problem | undefined {
    const isEngine = this.form.isMlEngine && isAppError(error, "sql");
    if (isAppError(error, "conflict") || (isEngine && /already exists/i.test(error.message))) {
      const text = vscode.l10n.t(
        "The name {0} is already used on this server. Choose another name.",
        draft.name,
      );
      return { field: "name", text };
    }
    const handler = this.state.current.known?.handler;
    if (!isEngine || !handler) return undefined;
    return (
      this.#offerDriver(error.message, handler) ??
      findEngineProblem(error.message, namesOf(handler, draft))
    );
  }

  async #test(draft: DataSourceDraft, keys: Keys, signal: AbortSignal): Promise<string> {
    const known = await this.#readKnown();
    // It stores nothing, but the server connects to any address and tells it the password.
    await this.allowWrite(
      {
        what: vscode.l10n.t("Test a connection to {0}", known.handler.title),
        button: vscode.l10n.t("Test"),
      },
      signal,
      vscode.l10n.t("Not tested."),
    );
    const client = await this.#clientFor(known, draft, keys);
    const parameters = this.form.before
      ? await this.#mergeStored(client, known, draft, keys, signal)
      : buildParameters(known.handler, draft, keys);
    const check = await testDataSource(client, { engine: draft.engine, parameters }, { signal });
    this.#throwUnlessConnected(check, known, draft);
    return vscode.l10n.t("The server can connect.");
  }

  /** All parameters as they will be, for a test. Those that the user has not typed never reach the page. */
  async #mergeStored(
    client: Client,
    { handler }: Known,
    draft: DataSourceDraft,
    keys: Keys,
    signal: AbortSignal,
  ): Promise<JsonObject> {
    const stored = await this.#readStored(client, handler, draft, signal);
    const changes = buildChanges(handler, this.#before(), draft, keys);
    const merged = Object.entries({ ...stored.parameters, ...changes });
    const parameters = Object.fromEntries(merged.filter(([, value]) => value !== null));
    const masked = findMask(parameters);
    if (masked === undefined) return parameters;
    const text = vscode.l10n.t(
      "The server does not show the stored value, so it can't be tested. Enter it again, or save: saving tests the connection, too.",
    );
    const isShown = shownFields(handler, draft).some((field) => field.name === masked);
    throw new ProblemError({ field: isShown ? fieldOf(masked) : "rows", text });
  }

  /** The data source as the server has it now, with its secrets known to the client. */
  async #readStored(
    client: Client,
    handler: Handler,
    { name }: DataSourceDraft,
    signal: AbortSignal,
  ): Promise<StoredDataSource> {
    try {
      const stored = await getDataSource(client, name, { signal });
      for (const secret of listStoredSecrets(handler, stored)) client.secrets.addReturned(secret);
      return stored;
    } catch (error) {
      if (!isAppError(error, "notFound")) throw error;
      const text = vscode.l10n.t("The data source {0} no longer exists.", name);
      throw new ProblemError({ field: "form", text });
    }
  }

  #before(): StoredDraft {
    const { before, storedKeys = {} } = this.form;
    return { draft: before ?? this.form.draft, storedKeys };
  }

  /** The client, which hides the typed secrets in what the server answers. */
  async #clientFor({ handler }: Known, draft: DataSourceDraft, keys: Keys) {
    const client = await this.#options.servers.client(this.connectionId);
    for (const secret of listSecrets(handler, draft, keys)) client.secrets.add(secret);
    return client;
  }

  #throwUnlessConnected(check: ConnectionCheck, { handler }: Known, draft: DataSourceDraft): void {
    if (check.status === "connected") return;
    if (check.status === "redirected") throw new ProblemError(this.#explainRedirect(check.address));
    throw new ProblemError(
      this.#offerDriver(check.reason, handler) ??
        findConnectionProblem(check.reason, namesOf(handler, draft)),
    );
  }

  /** The problem with the button that installs the driver; undefined if none is missing. */
  #offerDriver(reason: string, { name, title, kind }: Handler): Problem | undefined {
    if (findMissingDriver(reason) === undefined) return undefined;
    const text = vscode.l10n.t("The server has no driver for {0} yet.", title);
    const wanted = { connectionId: this.connectionId, engine: name, kind };
    const action = this.offer(
      bindCommand(commands.dataSourceInstallDriver, vscode.l10n.t("Install Driver…"), wanted),
    );
    return { field: "form", text, action };
  }

  /** Any server can say where to sign in, so the whole address is shown before it is opened. */
  #explainRedirect(given: string): Problem {
    // As a browser reads it: without characters that look like others, or that are not seen.
    const address = URL.canParse(given) ? new URL(given).href : JSON.stringify(given);
    const isWeb = /^https?:/.test(address) && address.length <= maxShownAddress;
    const text = vscode.l10n.t(
      "The data source requires you to sign in at {0}",
      escapeInvisible(cutOff(address, maxShownAddress)),
    );
    if (!isWeb) return { field: "form", text };
    const action = this.offer({
      title: vscode.l10n.t("Open Address"),
      command: "vscode.open",
      // A URI would lose what is encoded in its query.
      arguments: [address],
    });
    return { field: "form", text, action };
  }

  async #readKnown(): Promise<Known> {
    const known = await loadKnown(this.#options.servers, this.connectionId, {
      kind: this.#kind,
      engine: this.form.draft.engine,
      handler: this.state.current.known?.handler,
    });
    this.update({ known });
    return known;
  }

  protected override load(): Promise<void> {
    const { engine } = this.form.draft;
    return this.loadContent(async () => ({
      known: await loadKnown(this.#options.servers, this.connectionId, {
        kind: this.#kind,
        engine,
      }),
    }));
  }
}

/** Checks again on the host: the page's data may be old. */
function throwIfNameTaken(known: Known, draft: DataSourceDraft): void {
  const problems = validateDraft(draft, known, { keys: {}, hadKeys: {} });
  const taken = problems.find(({ field }) => field === "name");
  if (taken) throw new ProblemError(taken);
}

function namesOf(handler: Handler, draft: DataSourceDraft): string[] {
  return shownFields(handler, draft).map(({ name }) => name);
}
