// Deleting jobs and cancelling queries.
import * as vscode from "vscode";
import type { PlannedChange, ServerAccess } from "../../shared/connection.ts";
import type { Client } from "../../mindsdb/http/client.ts";
import { deleteJob } from "../../mindsdb/jobs.ts";
import { cancelQuery } from "../../mindsdb/runningQueries.ts";
import { attempt } from "../../shared/host/attempt.ts";
import type { Log } from "../../shared/host/log.ts";
import type { JobNode, QueryNode } from "../node.ts";
import { showStatus } from "../../shared/host/notifications.ts";
import { formatOnOneLine } from "../../shared/statementText.ts";

export class JobActions {
  readonly #options: { servers: ServerAccess; log: Log };

  constructor(servers: ServerAccess, log: Log) {
    this.#options = { servers, log };
  }

  deleteJob({ connectionId, project, name }: JobNode): Promise<void> {
    const change = {
      what: vscode.l10n.t("Delete the job {0} in {1}", name, project),
      button: vscode.l10n.t("Delete"),
      detail: vscode.l10n.t("It stops running for everyone. A run in progress continues."),
      deletes: name,
    };
    const done = vscode.l10n.t("Deleted {0}", name);
    return this.#change(connectionId, change, done, (client) =>
      deleteJob(client, { project, name }),
    );
  }

  cancelQuery({ connectionId, item }: QueryNode): Promise<void> {
    const { id, sql, state } = item;
    const change = {
      what: vscode.l10n.t("Cancel the query {0}", id),
      button: vscode.l10n.t("Cancel Query"),
      detail: [
        formatOnOneLine(sql),
        state === "failed"
          ? vscode.l10n.t("The query already failed. This only removes it from the list.")
          : vscode.l10n.t("Documents already stored, and the batch in progress, are kept."),
      ],
      isAlwaysAsked: true,
    };
    const done = vscode.l10n.t("Canceled the query {0}", id);
    return this.#change(connectionId, change, done, (client) => cancelQuery(client, id));
  }

  #change(
    connectionId: string,
    change: PlannedChange,
    done: string,
    work: (client: Client) => Promise<void>,
  ): Promise<void> {
    const { servers } = this.#options;
    return attempt(this.#options, change.what, connectionId, async () => {
      if (!(await servers.allowWrite(connectionId, change))) return;
      await work(await servers.client(connectionId));
      showStatus(done);
    });
  }
}
