// Server requests of the form of a view.
import * as vscode from "vscode";
import type { ServerAccess } from "../../shared/connection.ts";
import { isAppError } from "../../mindsdb/errors.ts";
import type { Client } from "../../mindsdb/http/client.ts";
import { CostConsent } from "../../mindsdb/http/costConsent.ts";
import { inParallel } from "../../mindsdb/http/inParallel.ts";
import type { View } from "../../mindsdb/listItems.ts";
import { listProjectItems } from "../../mindsdb/projectItems.ts";
import { listProjects } from "../../mindsdb/projects.ts";
import type { ItemPlace } from "../../mindsdb/references.ts";
import { redactResult } from "../../mindsdb/redact/redactResult.ts";
import { mayCost } from "../../mindsdb/sql/asksAgent.ts";
import { throwIfListing } from "../../mindsdb/sql/findListingUse.ts";
import { formatCount } from "../../mindsdb/sql/quoteName.ts";
import { runSql } from "../../mindsdb/sql/runSql.ts";
import { singleSelect } from "../../mindsdb/sql/singleSelect.ts";
import { kindOfSql } from "../../mindsdb/sql/statementKind.ts";
import { readFirstRows } from "../../mindsdb/tables.ts";
import { createView, deleteView, getView, updateView } from "../../mindsdb/viewChanges.ts";
import { ProblemError } from "../../shared/host/formPage.ts";
import { describeGone } from "../../shared/itemGone.ts";
import { checkNoRows, toPreviewRows, type PreviewRows } from "../../tables/previewRows.ts";
import { validateView } from "../validation.ts";
import type { ViewDraft, ViewField } from "../viewDraft.ts";
import type { ViewChoices, ViewForm } from "../viewForm.ts";

const shownRows = 10;
/** In characters. */
const maxValue = 200;
/** How servers fail to try a new view's query that reads a view; a change they store untried (26.1.0 and 25.14.1). */
const failsOnViews = "'NoneType' object has no attribute 'lower'";

/** The projects and what they hold. Throws AppError. */
export async function loadChoices(
  servers: ServerAccess,
  connectionId: string,
  signal?: AbortSignal,
): Promise<ViewChoices> {
  const client = await servers.client(connectionId);
  const projects = await listProjects(client, { signal });
  const lists = await inParallel(projects, async ({ name: project }) => {
    const items = await listProjectItems(client, project, { signal }).catch(() => []);
    return items.map((item) => ({ ...item, project }));
  });
  return { projects: projects.map(({ name }) => name), items: lists.flat() };
}

/** The first rows of a draft's query. Throws AppError "mayCost" unless `isAllowed`, and "refused" for the server's listings. */
export async function readPreview(
  client: Client,
  { query, project }: ViewDraft,
  { signal, isAllowed = false }: { signal: AbortSignal; isAllowed?: boolean },
): Promise<PreviewRows> {
  const options = {
    signal,
    // The rows may come from a slow database.
    timeoutMs: 0,
    cost: new CostConsent(() => Promise.resolve(isAllowed)),
    database: project,
  };
  // A comment at its end must not reach the parenthesis.
  const select = `(${singleSelect(query) ?? ""}\n)`;
  const limit = `LIMIT ${formatCount(shownRows)}`;
  const statement = `SELECT * FROM ${select} AS t ${limit}`;
  await throwIfListing(client, statement, options);
  const result = await runSql(client, statement, options).catch((error: unknown) => {
    // A UNION can be read in no other way (seen on 26.1.0 and 25.14.1).
    if (!isAppError(error, "sql") || !error.message.includes("Unsupported from_table")) throw error;
    return runSql(client, `WITH t AS ${select} SELECT * FROM t ${limit}`, options);
  });
  const rows = toPreviewRows(redactResult(result, "none", client.secrets), shownRows, maxValue);
  return checkNoRows(rows, client, query, options);
}

/**
 * Creates or changes a view, whose new query is run first: servers store a changed query unchecked, and the old one would
 * be lost. Returns false if the user or the connection's protection does not
 * allow it. Throws AppError.
 */
export async function saveView(
  servers: ServerAccess,
  { connectionId, before }: ViewForm,
  draft: ViewDraft,
  signal: AbortSignal,
): Promise<boolean> {
  const { project, name, query } = draft;
  const client = await servers.client(connectionId);
  const select = singleSelect(query) ?? "";
  const isCostly =
    kindOfSql(select) === "write" ||
    (await mayCost(client, select, { signal, database: project, consent: CostConsent.refusal() }));
  const risks: string[] = [];
  let stored: string | undefined;
  let isChecked = false;
  if (before) {
    stored = await readStored(client, draft, signal);
    if (stored !== before.query) {
      risks.push(
        vscode.l10n.t(
          "The view was changed on the server while this form was open. Saving overwrites that change.",
        ),
      );
    }
    // Rows of the server's listings are not read either.
    isChecked =
      !isCostly && (await client.findListingUse(select, { signal, database: project })) === "none";
    if (isChecked) await readPreview(client, draft, { signal });
    else {
      risks.push(
        vscode.l10n.t(
          "The new query is not checked, because running it may change data, cost money, or show credentials. If it fails, everything that reads the view fails, too.",
        ),
      );
    }
  } else {
    // The form's lists can be outdated.
    const choices = await loadChoices(servers, connectionId, signal);
    const taken = validateView(draft, choices, true).find(({ field }) => field === "name");
    if (taken) throw new ProblemError<ViewField>(taken);
    if (isCostly) {
      risks.push(vscode.l10n.t("The server runs its query, which may change data or cost money."));
    }
  }
  const isAllowed = await servers.allowWrite(connectionId, {
    ...(before
      ? {
          what: vscode.l10n.t("Change the view {0} in {1}", name, project),
          button: vscode.l10n.t("Save"),
        }
      : {
          what: vscode.l10n.t("Create the view {0} in {1}", name, project),
          button: vscode.l10n.t("Create"),
        }),
    isAlwaysAsked: risks.length > 0,
    detail: risks,
  });
  if (!isAllowed) return false;
  signal.throwIfAborted();
  const view = { project, name, query };
  if (stored === undefined) {
    await createView(client, view, { signal }).catch(async (error: unknown) => {
      if (!isAppError(error, "serverFault") || !error.message.includes(failsOnViews)) throw error;
      if (!isCostly) await readPreview(client, draft, { signal });
      await createUntried(client, view, signal);
    });
  } else {
    await updateView(client, view, { signal });
    if (isChecked) await keepIfReadable(client, view, stored);
  }
  return true;
}

/** Creates a view with a query that servers can try, and replaces that. */
async function createUntried(
  client: Client,
  view: ItemPlace & View,
  signal: AbortSignal,
): Promise<void> {
  await createView(client, { ...view, query: "SELECT 1 AS placeholder" }, { signal });
  try {
    await updateView(client, view);
  } catch (error) {
    await deleteView(client, view).catch(() => undefined);
    throw error;
  }
}

/** Restores the query of a view that cannot be read with the new one, although that has run by itself. */
async function keepIfReadable(
  client: Client,
  view: ItemPlace & View,
  stored: string,
): Promise<void> {
  try {
    await readFirstRows(client, [view.project, view.name], 1, { timeoutMs: 0 });
  } catch (error) {
    // Others say nothing about the query.
    if (!isAppError(error, "sql", "serverFault")) return;
    const isRestored = await updateView(client, { ...view, query: stored }).then(
      () => true,
      () => false,
    );
    const text = isRestored
      ? vscode.l10n.t(
          "The view can't be read with this query, so its previous query was restored. Server message: {0}",
          error.message,
        )
      : vscode.l10n.t(
          "The view can't be read with this query, and its previous query could not be restored. Save the previous query again. Server message: {0}",
          error.message,
        );
    throw new ProblemError<ViewField>({ field: "query", text });
  }
}

/** The query of the view that is changed. Servers would create a view that is not there. */
async function readStored(
  client: Client,
  { project, name }: ViewDraft,
  signal: AbortSignal,
): Promise<string> {
  try {
    return (await getView(client, { project, name }, { signal })).query;
  } catch (error) {
    if (!isAppError(error, "notFound")) throw error;
    throw new ProblemError<ViewField>({ field: "form", text: describeGone({ project, name }) });
  }
}
