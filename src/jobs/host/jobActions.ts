// Commands on jobs. Imported with the first use.
import * as vscode from "vscode";
import type { ServerAccess } from "../../shared/connection.ts";
import { AppError } from "../../mindsdb/errors.ts";
import type { ItemRef } from "../../mindsdb/references.ts";
import { attempt } from "../../shared/host/attempt.ts";
import type { Log } from "../../shared/host/log.ts";
import { createOnServer, type NewItemPlace } from "../../shared/host/newItemTarget.ts";
import { draftOfJob } from "../jobDraft.ts";
import { itemGone } from "../../shared/itemGone.ts";
import type { JobForms } from "./jobForms.ts";
import { describeRedacted, findJob } from "./jobServer.ts";

interface Options {
  servers: ServerAccess;
  log: Log;
}

/** Opens a form for a new job; asks for the connection unless it is given or the only one. */
export async function createInForm(
  options: Options,
  given: NewItemPlace | undefined,
  loadForms: () => Promise<JobForms>,
): Promise<void> {
  const texts = {
    title: vscode.l10n.t("Create a Job"),
    offer: vscode.l10n.t("Jobs need a MindsDB server, and none is connected yet."),
    task: "Creating a job",
  };
  await createOnServer(options, given, texts, async (connectionId, project) => {
    (await loadForms()).create(connectionId, project);
  });
}

/** Opens the form of a job, as the server has it now. */
export async function editInForm(
  options: Options,
  { connectionId, project, name }: ItemRef,
  loadForms: () => Promise<JobForms>,
): Promise<void> {
  await attempt(options, "Editing a job", connectionId, async () => {
    const client = await options.servers.client(connectionId);
    const job = await findJob(client, { project, name });
    if (!job) {
      client.observe({ kind: "changed", list: "jobs", project });
      throw itemGone({ project, name });
    }
    if (job.isRedacted) throw new AppError("refused", describeRedacted(job.name));
    (await loadForms()).edit(connectionId, draftOfJob(project, job));
  });
}
