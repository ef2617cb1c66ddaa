import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import { versionTestsModel } from "../../agents/serverErrors.ts";
import {
  modelKinds,
  type DefaultModelKind,
  type ServerSettings,
} from "../../mindsdb/defaultModels.ts";
import { AppError } from "../../mindsdb/errors.ts";
import type { Client } from "../../mindsdb/http/client.ts";
import type { JsonObject } from "../../mindsdb/json.ts";
import { isSecretKey } from "../../mindsdb/redact/secretNames.ts";
import {
  getServerSettings,
  testLanguageModel,
  testSearchModels,
  updateServerSettings,
} from "../../mindsdb/serverSettings.ts";
import type { Problem } from "../../shared/formPage.ts";
import {
  FormPage,
  ProblemError,
  type FormPageOptions,
  type OpenedForm,
} from "../../shared/host/formPage.ts";
import { readDefaultProject } from "../../shared/host/newItemTarget.ts";
import type { Handlers } from "../../shared/pageProtocol.ts";
import { omitTypedSecrets } from "../../shared/typedSecrets.ts";
import { findLanguageProblem, findSearchProblem } from "../serverErrors.ts";
import {
  buildChanges,
  createDraft,
  listStoredKeys,
  losesKey,
  readModel,
  type Keys,
  type SettingsDraft,
  type SettingsField,
} from "../settingsDraft.ts";
import {
  type SettingsContent,
  type SettingsForm,
  type settingsFormCalls,
} from "../settingsForm.ts";
import { keyNeeded, type SettingsProblem } from "../validation.ts";

/** The form for the settings as the server has them now. */
export function createForm(connectionId: string, settings: ServerSettings): SettingsForm {
  // Addresses can contain passwords.
  const before = omitTypedSecrets(createDraft(settings));
  const storedKeys = listStoredKeys(settings);
  return { id: crypto.randomUUID(), connectionId, before, draft: before, storedKeys };
}

export class SettingsFormPage extends FormPage<
  SettingsForm,
  SettingsField,
  SettingsContent,
  typeof settingsFormCalls
> {
  readonly handlers: Handlers<typeof settingsFormCalls>;
  protected override readonly showsPlaceholders = true;
  readonly #options: FormPageOptions;

  constructor(opened: OpenedForm<SettingsForm, SettingsContent>, options: FormPageOptions) {
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
  }

  get title(): string {
    return vscode.l10n.t("Server Settings");
  }

  /** Shows the settings as they are now, unless there are unsaved changes. */
  refresh(form: SettingsForm): void {
    if (!this.isDirty && this.state.current.sending === undefined) this.replace(form);
  }

  protected override async send(
    draft: SettingsDraft,
    keys: Keys,
    signal: AbortSignal,
  ): Promise<string> {
    const client = await this.#clientFor(keys);
    const stored = await getServerSettings(client, { signal });
    const { before } = this.form;
    const { models, lost, placeholder } = buildChanges(stored, before, draft, keys);
    if (placeholder) throw this.placeholderError(placeholder);
    const kinds = modelKinds.filter((kind) => models[kind]);
    if (kinds.length === 0) return vscode.l10n.t("Nothing has changed.");
    this.#throwIfKeyIsLost(stored, draft, keys);
    const risks: string[] = [];
    const now = createForm(this.connectionId, stored).before;
    if (kinds.some((kind) => !isDeepStrictEqual(now[kind], before[kind]))) {
      risks.push(
        vscode.l10n.t(
          "The settings were changed on the server while this form was open. Saving overwrites that change.",
        ),
      );
    }
    if (lost.length > 0) {
      risks.push(
        vscode.l10n.t(
          "Saving removes settings this form can't send: {0}",
          [...new Set(lost)].join(", "),
        ),
      );
    }
    await this.allowWrite(
      {
        what: vscode.l10n.t("Change the default models of {0}", this.state.current.connection),
        button: vscode.l10n.t("Save"),
        detail: [
          vscode.l10n.t("Agents and knowledge bases without models of their own will use them."),
          ...risks,
        ],
        isAlwaysAsked: risks.length > 0,
      },
      signal,
    );
    await updateServerSettings(client, models, { signal });
    const saved = await getServerSettings(client, { signal });
    this.replace(createForm(this.connectionId, saved));
    const kept = kinds.find((kind) => !isStored(models[kind] ?? {}, saved[kind]));
    if (kept) throw new ProblemError(describeKept(kept));
    return vscode.l10n.t("Saved.");
  }

  protected override findProblem(): Problem<SettingsField> | undefined {
    return undefined;
  }

  async #test(draft: SettingsDraft, keys: Keys, signal: AbortSignal): Promise<string> {
    const { servers } = this.#options;
    await this.allowWrite(
      {
        what: vscode.l10n.t("Test the default models of {0}", this.state.current.connection),
        button: vscode.l10n.t("Test"),
        detail: vscode.l10n.t("The server calls each model once, which may cost money."),
      },
      signal,
      vscode.l10n.t("Not tested."),
    );
    const client = await this.#clientFor(keys);
    const stored = await getServerSettings(client, { signal });
    this.#throwIfKeyIsLost(stored, draft, keys);
    const { models, placeholder } = buildChanges(stored, this.form.before, draft, keys);
    if (placeholder) throw this.placeholderError(placeholder);
    const project = await readDefaultProject(servers, this.connectionId);
    const tested: string[] = [];
    const notes: string[] = [];
    if (draft.language.choice === "own") {
      const { version } = await servers.status(this.connectionId, signal);
      if (versionTestsModel(version)) {
        const hasKey = Boolean(keys["language"]) || this.form.storedKeys["language"] === true;
        await testLanguageModel(client, project, models.language, { signal }).catch(
          explainWith((error) => findLanguageProblem(error, draft.language, hasKey)),
        );
        tested.push(vscode.l10n.t("language model"));
      } else {
        notes.push(
          vscode.l10n.t("This server tests a language model only when an agent is asked."),
        );
      }
    }
    const hasReranking = draft.reranking.choice === "own";
    if (draft.embedding.choice === "own") {
      const { embedding } = models;
      const reranking = hasReranking ? models.reranking : false;
      await testSearchModels(client, project, { embedding, reranking }, { signal }).catch(
        explainWith((error) => findSearchProblem(error, draft)),
      );
      tested.push(vscode.l10n.t("embedding model"));
      if (hasReranking) tested.push(vscode.l10n.t("reranking model"));
    } else if (hasReranking) {
      notes.push(
        vscode.l10n.t("The server can test a reranking model only if there is an embedding model."),
      );
    }
    if (tested.length > 0) {
      notes.unshift(vscode.l10n.t("The server got answers from: {0}.", tested.join(", ")));
    }
    return notes.join(" ") || vscode.l10n.t("There is no model to test.");
  }

  /** The client, which hides the typed keys in what the server answers. */
  async #clientFor(keys: Keys): Promise<Client> {
    const client = await this.#options.servers.client(this.connectionId);
    for (const key of Object.values(keys)) client.secrets.add(key);
    return client;
  }

  /** The server may have got a key since the form was opened. */
  #throwIfKeyIsLost(stored: ServerSettings, draft: SettingsDraft, keys: Keys): void {
    const form = { before: this.form.before, storedKeys: listStoredKeys(stored) };
    const kind = modelKinds.find((one) => losesKey(one, form, draft, keys));
    if (kind) throw new ProblemError(keyNeeded(kind));
  }
}

function explainWith(find: (error: AppError) => SettingsProblem | undefined) {
  return (error: unknown): never => {
    const problem = error instanceof AppError ? find(error) : undefined;
    throw problem ? new ProblemError(problem) : error;
  };
}

/** Whether a server has what it was sent. What comes from its configuration file or environment is added to that. */
function isStored(sent: JsonObject, stored: JsonObject): boolean {
  if (Object.keys(sent).length === 0) return readModel(stored).choice === "none";
  return Object.entries(sent).every(
    ([name, value]) => isSecretKey(name) || isDeepStrictEqual(stored[name], value),
  );
}

function describeKept(kind: DefaultModelKind): SettingsProblem {
  const text = vscode.l10n.t(
    "The server still uses another model. Its configuration file or environment may set one.",
  );
  return { field: kind, text };
}
