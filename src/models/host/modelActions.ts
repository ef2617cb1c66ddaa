// Trains, switches, compares and deletes models and their versions.
import * as vscode from "vscode";
import { isTraining } from "../../mindsdb/modelStatus.ts";
import type { Model, ModelVersion } from "../../mindsdb/listItems.ts";
import { listModels } from "../../mindsdb/models.ts";
import type { ModelRef, TableRef } from "../../mindsdb/references.ts";
import { activateVersion, deleteModel, deleteVersion } from "../../mindsdb/training.ts";
import { attempt } from "../../shared/host/attempt.ts";
import {
  createOnServer,
  readDefaultProject,
  type NewItemPlace,
} from "../../shared/host/newItemTarget.ts";
import { showInformation, showStatus } from "../../shared/host/notifications.ts";
import { askChoice, back } from "../../shared/host/quickInput.ts";
import { itemGone } from "../../shared/itemGone.ts";
import { tableEntry } from "../trainDraft.ts";
import { compareVersions } from "./compareVersions.ts";
import { TrainForms } from "./trainForms.ts";
import { TrainingWatch, type TrainingWatchOptions } from "./trainingWatch.ts";

export interface ModelActionOptions extends TrainingWatchOptions {
  extensionUri: vscode.Uri;
  draftsFolder: string;
  /** Asks the user for a model; `title` says what for. */
  pickModel: (title: string) => Promise<ModelRef | undefined>;
  /** Asks the user for a table, of a connection if it is given. */
  pickTable: (title: string, connectionId?: string) => Promise<TableRef | undefined>;
}

export class ModelActions implements vscode.Disposable {
  readonly forms: TrainForms;
  readonly #options: ModelActionOptions;
  readonly #watch: TrainingWatch;

  constructor(options: ModelActionOptions) {
    this.#options = options;
    this.#watch = new TrainingWatch(options);
    this.forms = new TrainForms({
      ...options,
      pickTable: (connectionId) =>
        options.pickTable(vscode.l10n.t("Select the Training Rows"), connectionId),
      watch: (model) => this.#watch.add(model),
    });
  }

  dispose(): void {
    this.#watch.dispose();
  }

  async train(given?: NewItemPlace): Promise<void> {
    const title = vscode.l10n.t("Train a Model");
    const offer = vscode.l10n.t("Models need a MindsDB server, and none is connected yet.");
    const texts = { title, offer, task: title };
    await createOnServer(this.#options, given, texts, (connectionId, project) => {
      this.forms.create(connectionId, project);
    });
  }

  async trainOn(given?: TableRef): Promise<void> {
    const title = vscode.l10n.t("Train a Model on a Table");
    const table = given ?? (await this.#options.pickTable(title));
    if (!table) return;
    const { connectionId } = table;
    await attempt(this.#options, title, connectionId, async () => {
      const project = await readDefaultProject(this.#options.servers, connectionId);
      this.forms.create(connectionId, project, { source: "table", table: tableEntry(table) });
    });
  }

  retrain(given?: ModelRef): Promise<void> {
    return this.#withModel(vscode.l10n.t("Retrain a Model"), given, (model) =>
      this.forms.train("retrain", model),
    );
  }

  finetune(given?: ModelRef): Promise<void> {
    return this.#withModel(vscode.l10n.t("Fine-Tune a Model"), given, (model) =>
      this.forms.train("finetune", model),
    );
  }

  useVersion(given?: ModelRef): Promise<void> {
    const title = vscode.l10n.t("Set the Active Model Version");
    return this.#withModel(title, given, async (ref) => {
      const { connectionId, project, name } = ref;
      const version = await this.#pickVersion(title, ref, (one) => {
        return !one.active && one.status === "complete";
      });
      if (!version) return;
      const what = vscode.l10n.t("Use version {0} of {1} in {2}", version.version, name, project);
      const button = vscode.l10n.t("Use This Version");
      const { servers } = this.#options;
      if (!(await servers.allowWrite(connectionId, { what, button }))) return;
      const target = { project, name, version: version.version };
      await activateVersion(await servers.client(connectionId), target);
      showStatus(vscode.l10n.t("{0} now uses version {1}", name, version.version));
    });
  }

  deleteVersion(given?: ModelRef): Promise<void> {
    const title = vscode.l10n.t("Delete a Version");
    return this.#withModel(title, given, async (ref) => {
      const { connectionId, project, name } = ref;
      // Deleting the active version over HTTP would delete the model; SQL refuses it.
      const version = await this.#pickVersion(title, ref, ({ active }) => !active);
      if (!version) return;
      const isAllowed = await this.#options.servers.allowWrite(connectionId, {
        what: vscode.l10n.t("Delete version {0} of {1} in {2}", version.version, name, project),
        button: vscode.l10n.t("Delete"),
        detail: [
          vscode.l10n.t("The other versions stay."),
          ...(isTraining(version) ? [trainingGoesOn()] : []),
        ].join(" "),
        deletes: name,
      });
      if (!isAllowed) return;
      const client = await this.#options.servers.client(connectionId);
      await deleteVersion(client, { project, name, version: version.version });
      showStatus(vscode.l10n.t("Deleted version {0} of {1}", version.version, name));
    });
  }

  deleteModel(given?: ModelRef): Promise<void> {
    return this.#withModel(vscode.l10n.t("Delete a Model"), given, async (ref) => {
      const { connectionId, project, name } = ref;
      const { versions } = await this.#readModel(ref);
      const isAllowed = await this.#options.servers.allowWrite(connectionId, {
        what: vscode.l10n.t("Delete the model {0} in {1}", name, project),
        button: vscode.l10n.t("Delete"),
        detail: [
          versions.length > 1
            ? vscode.l10n.t("All {0} versions are deleted for everyone.", versions.length)
            : vscode.l10n.t("It is deleted for everyone."),
          ...(versions.some(isTraining) ? [trainingGoesOn()] : []),
        ].join(" "),
        deletes: name,
      });
      if (!isAllowed) return;
      await deleteModel(await this.#options.servers.client(connectionId), { project, name });
      showStatus(vscode.l10n.t("Deleted {0}", name));
    });
  }

  compare(given?: ModelRef): Promise<void> {
    const title = vscode.l10n.t("Compare Versions");
    return this.#withModel(title, given, async (ref) => {
      const model = await this.#readModel(ref);
      if (model.versions.length < 2) {
        void showInformation(vscode.l10n.t("{0} has only one version.", ref.name));
        return;
      }
      const first =
        model.versions.find(({ version }) => version === ref.version) ??
        (await pickFrom(title, vscode.l10n.t("Which version?"), model.versions));
      if (!first) return;
      const others = model.versions.filter((one) => one !== first);
      const second =
        others.length === 1
          ? others[0]
          : await pickFrom(title, vscode.l10n.t("Compare with which version?"), others);
      if (!second) return;
      const versions =
        first.version < second.version ? ([first, second] as const) : ([second, first] as const);
      const { servers, descriptions } = this.#options;
      await compareVersions({ ref, model, versions }, servers, descriptions);
    });
  }

  /** The given version if it is fit, else one that the user picks; undefined after saying why there is none. */
  async #pickVersion(
    title: string,
    ref: ModelRef,
    isFit: (version: ModelVersion) => boolean,
  ): Promise<ModelVersion | undefined> {
    const { versions } = await this.#readModel(ref);
    const fit = versions.filter(isFit);
    const given = versions.find(({ version }) => version === ref.version);
    if (given && isFit(given)) return given;
    if (given?.active === true) {
      void showInformation(
        vscode.l10n.t("Version {0} of {1} is the active one.", given.version, ref.name),
      );
      return undefined;
    }
    if (given || fit.length === 0) {
      void showInformation(vscode.l10n.t("{0} has no other trained version.", ref.name));
      return undefined;
    }
    return pickFrom(title, vscode.l10n.t("Which version?"), fit);
  }

  async #readModel({ connectionId, project, name }: ModelRef): Promise<Model> {
    const client = await this.#options.servers.client(connectionId);
    const model = (await listModels(client, project)).find((one) => one.name === name);
    if (model) return model;
    throw itemGone({ project, name });
  }

  async #withModel(
    title: string,
    given: ModelRef | undefined,
    work: (model: ModelRef) => Promise<void>,
  ): Promise<void> {
    const model = given ?? (await this.#options.pickModel(title));
    if (model) await attempt(this.#options, title, model.connectionId, () => work(model));
  }
}

/** MindsDB has no way to stop a training. */
function trainingGoesOn(): string {
  return vscode.l10n.t("MindsDB can't stop training. The process continues until it finishes.");
}

async function pickFrom(
  title: string,
  placeholder: string,
  versions: readonly ModelVersion[],
): Promise<ModelVersion | undefined> {
  const items = versions.map((version) => ({
    label: vscode.l10n.t("version {0}", version.version),
    description: version.active ? vscode.l10n.t("{0} · active", version.status) : version.status,
    version,
  }));
  const picked = await askChoice({ title, placeholder, items });
  return picked === back ? undefined : picked?.version;
}
