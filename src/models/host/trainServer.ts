// Server requests of the form that trains a model.
import * as vscode from "vscode";
import type { ServerAccess } from "../../shared/connection.ts";
import { splitEntry } from "../../mindsdb/dataPatterns.ts";
import type { CallOptions, Client } from "../../mindsdb/http/client.ts";
import { listProjectItems } from "../../mindsdb/projectItems.ts";
import { listProjects } from "../../mindsdb/projects.ts";
import { CostConsent } from "../../mindsdb/http/costConsent.ts";
import { redactResult } from "../../mindsdb/redact/redactResult.ts";
import { mayCost } from "../../mindsdb/sql/asksAgent.ts";
import { throwIfListing } from "../../mindsdb/sql/findListingUse.ts";
import { kindOfSql } from "../../mindsdb/sql/statementKind.ts";
import { formatCount } from "../../mindsdb/sql/quoteName.ts";
import { runSql, type SqlResult } from "../../mindsdb/sql/runSql.ts";
import { readFirstRows } from "../../mindsdb/tables.ts";
import {
  createModelStatement,
  finetuneStatement,
  listEngines,
  retrainStatement,
  sendTraining,
  type MoreTraining,
  type NewModel,
  type NewVersion,
} from "../../mindsdb/training.ts";
import { toPlainName } from "../../mindsdb/sql/plainName.ts";
import { ProblemError } from "../../shared/host/formPage.ts";
import { findNameTaken } from "../../shared/itemNameProblems.ts";
import { checkNoRows, toPreviewRows, type PreviewRows } from "../../tables/previewRows.ts";
import type { TrainDraft, TrainForm } from "../trainDraft.ts";
import { listKeys, parseOptions } from "../optionLines.ts";
import type { StartedTraining, TrainChoices } from "../trainPage.ts";
import { selectOfDraft } from "../trainSelect.ts";
import type { TrainField } from "../trainValidation.ts";

const shownRows = 10;
/** In characters. */
const maxValue = 200;

/** Engines that train on tables, offered first. */
const tabularEngines = ["lightwood", "statsforecast", "autosklearn", "ludwig"];

/** The projects, what one of them holds, and the engines. Throws AppError. */
export async function loadChoices(
  servers: ServerAccess,
  { connectionId, kind, draft }: TrainForm,
  signal: AbortSignal,
): Promise<TrainChoices> {
  const client = await servers.client(connectionId);
  const { project } = draft;
  if (kind !== "create") return { projects: [project], project, items: [], engines: [] };
  const [projects, items] = await Promise.all([
    listProjects(client, { signal }),
    listProjectItems(client, project, { signal }).catch(() => []),
  ]);
  const engines = (await listEngines(client, signal)).map(({ name }) => name);
  const first = tabularEngines.filter((name) => engines.includes(name));
  return {
    projects: projects.map(({ name }) => name),
    project,
    items,
    engines: [...new Set([...first, ...engines])],
  };
}

/**
 * The first training rows; undefined if they cannot be shown without risk, or are not known. Throws AppError: "mayCost"
 * unless the user has agreed to what they may cost, "refused" if they may come from the server's listings.
 */
export async function readTrainingRows(
  servers: ServerAccess,
  connectionId: string,
  draft: TrainDraft,
  { signal, isAllowed }: { signal: AbortSignal; isAllowed: boolean },
): Promise<PreviewRows | undefined> {
  const cost = new CostConsent(() => Promise.resolve(isAllowed));
  const options: CallOptions = { signal, cost };
  const select = selectOfDraft(draft);
  if (select === undefined || kindOfSql(select) === "write") return undefined;
  const client = await servers.client(connectionId);
  await throwIfListing(client, select, options);
  const read = async (): Promise<SqlResult> => {
    if (draft.source === "table") {
      return readFirstRows(client, splitEntry(draft.table), shownRows, options);
    }
    // A comment at its end must not reach the parenthesis.
    const statement = `SELECT * FROM (${select}\n) AS t LIMIT ${formatCount(shownRows)}`;
    return redactResult(await runSql(client, statement, options), "none", client.secrets);
  };
  const rows = toPreviewRows(await read(), shownRows, maxValue);
  return checkNoRows(rows, client, select, options);
}

/** The request that is sent for a draft without problems. */
type Order =
  | { kind: "create"; model: NewModel }
  | { kind: "retrain"; model: NewVersion }
  | { kind: "finetune"; model: MoreTraining };

function createOrder({ kind, version, initial }: TrainForm, draft: TrainDraft): Order {
  const { project, target, engine, activates } = draft;
  const { options } = parseOptions(draft.options);
  const select = selectOfDraft(draft);
  switch (kind) {
    case "create":
      return {
        kind,
        model: {
          project,
          name: toPlainName(draft.name, "model"),
          select: select ?? "",
          target,
          engine,
          options,
        },
      };
    case "retrain": {
      // With any option after USING the server forgets those of the version before, so all are sent, or none.
      const isSame = draft.options === initial.options && activates;
      return {
        kind,
        model: {
          project,
          name: draft.name,
          select,
          activates,
          target: target === initial.target ? undefined : target,
          options: isSame ? undefined : options,
        },
      };
    }
    case "finetune":
      return {
        kind,
        model: { project, name: draft.name, version, select: select ?? "", options },
      };
  }
}

/** The statement that the form sends. Throws AppError if SQL cannot express it. */
export function trainStatement(form: TrainForm, draft: TrainDraft): string {
  return formatStatement(createOrder(form, draft));
}

function formatStatement(order: Order): string {
  switch (order.kind) {
    case "create":
      return createModelStatement(order.model);
    case "retrain":
      return retrainStatement(order.model);
    case "finetune":
      return finetuneStatement(order.model);
  }
}

/**
 * Starts a training; undefined if the user or the connection's protection does not allow it. Throws AppError, and
 * ProblemError for a name that is taken meanwhile.
 */
export async function startTraining(
  servers: ServerAccess,
  form: TrainForm,
  draft: TrainDraft,
  signal: AbortSignal,
): Promise<StartedTraining | undefined> {
  const { connectionId } = form;
  const order = createOrder(form, draft);
  const { project, name } = order.model;
  const select = order.model.select;
  const client = await servers.client(connectionId);
  // Servers repeat a key that an engine does not accept.
  for (const key of listKeys(draft.options)) client.secrets.add(key);
  if (order.kind === "create") await throwIfNameTaken(client, order.model, signal);
  const consent = CostConsent.refusal();
  // Names without a project are of the server's default project, not of the model's (seen on 26.1.0 and 25.14.1).
  if (select !== undefined) await throwIfListing(client, select, { signal, cost: consent });
  const mayWrite =
    select !== undefined &&
    (kindOfSql(select) !== "read" || (await mayCost(client, select, { signal, consent })));
  const isAllowed = await servers.allowWrite(connectionId, {
    what: whatIsDone(order, draft.activates),
    button: vscode.l10n.t("Train"),
    isAlwaysAsked: mayWrite,
    detail: mayWrite
      ? vscode.l10n.t("The statement for the training rows may change data or cost money.")
      : undefined,
  });
  if (!isAllowed) return undefined;
  const version = await sendTraining(client, formatStatement(order), { signal });
  return { project, name, version };
}

/** Checks the name again: what the form knows may be old, and servers give one name to a model and to an agent. */
async function throwIfNameTaken(
  client: Client,
  { project, name }: NewModel,
  signal: AbortSignal,
): Promise<void> {
  const items = await listProjectItems(client, project, { signal }).catch(() => null);
  signal.throwIfAborted();
  const text = findNameTaken(name, items);
  if (text !== undefined) throw new ProblemError<TrainField>({ field: "name", text });
}

function whatIsDone({ kind, model: { project, name } }: Order, activates: boolean): string {
  if (kind === "create") return vscode.l10n.t("Train the model {0} in {1}", name, project);
  return activates
    ? vscode.l10n.t("Train a new version of {0} in {1} and make it active", name, project)
    : vscode.l10n.t("Train a new version of {0} in {1}", name, project);
}
