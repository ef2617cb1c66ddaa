import * as vscode from "vscode";
import { AppError, isAppError, isCancelled } from "../../mindsdb/errors.ts";
import type { Client } from "../../mindsdb/http/client.ts";
import { asksAgent } from "../../mindsdb/sql/asksAgent.ts";
import { quotePath } from "../../mindsdb/sql/runSql.ts";
import type { ServerAccess } from "../../shared/connection.ts";
import { explainError } from "../../shared/host/errorMessages.ts";
import type { Log } from "../../shared/host/log.ts";
import { NoticeButton } from "../../shared/host/noticeButton.ts";
import type { Page } from "../../shared/host/pages.ts";
import { predictTimeLimitMs } from "../../shared/host/settings.ts";
import { HostState } from "../../shared/hostState.ts";
import type { Handlers } from "../../shared/pageProtocol.ts";
import { formatModelName } from "../notebook/modelName.ts";
import { RequestQueue } from "../whatIf/requestQueue.ts";
import { predictRows, type PredictedRows } from "../whatIf/predictRows.ts";
import type {
  Prediction,
  VariedRow,
  WhatIfRow,
  whatIfCalls,
  WhatIfState,
} from "../whatIf/whatIfPage.ts";

interface WhatIfOptions {
  servers: ServerAccess;
  log: Log;
}
type VaryRequest = Pick<VariedRow, "input" | "over"> & { values: string[] };

/** A request of the page; returns what it changes in the state. */
interface Request {
  kind: "predict" | "vary";
  answer: () => Promise<Partial<WhatIfState>>;
}

/** The host of a page that predicts one row with other values. */
export class WhatIfPage implements Page<typeof whatIfCalls> {
  readonly state: HostState<WhatIfState>;
  readonly handlers: Handlers<typeof whatIfCalls> = {
    predict: (values) => this.#add({ kind: "predict", answer: () => this.#predict(values) }),
    vary: (request) => this.#add({ kind: "vary", answer: () => this.#vary(request) }),
    runNoticeAction: () => this.#runNoticeAction(),
  };
  readonly #row: WhatIfRow;
  readonly #options: WhatIfOptions;
  readonly #tasks = new RequestQueue();
  readonly #closed = new AbortController();
  readonly #button = new NoticeButton();
  /** The prediction of the row itself, once it is known. */
  #own: { target: string; prediction: Prediction } | undefined;
  /** The last request of each kind: answers to those before are not shown. */
  readonly #last = new Map<Request["kind"], Request>();
  /** The last request that could not be answered. */
  #failed: Request | undefined;
  /** After a reload nobody has asked yet for predictions that may cost money. */
  #isCostAsked: boolean;
  /** The requests that wait for the user's agreement. */
  readonly #held = new Map<Request["kind"], Request>();

  constructor(row: WhatIfRow, options: WhatIfOptions, { isRestored = false } = {}) {
    this.#row = row;
    this.#options = options;
    this.#isCostAsked = !isRestored;
    const { model, connectionId } = row;
    this.state = new HostState<WhatIfState>({
      row,
      model: formatModelName(model),
      connection: options.servers.find(connectionId)?.name ?? connectionId,
      isLoading: false,
      isAnswerOld: false,
    });
  }

  get title(): string {
    return vscode.l10n.t("What If: {0}", this.#row.model.name);
  }

  get connectionId(): string {
    return this.#row.connectionId;
  }

  onClosed(): void {
    this.#tasks.clear();
    this.#closed.abort();
  }

  #add(request: Request): void {
    this.#last.set(request.kind, request);
    this.#tasks.add(request.kind, () => this.#answer(request));
  }

  async #answer(request: Request): Promise<void> {
    this.state.update({ isLoading: true });
    try {
      const change = await request.answer();
      if (!this.#isLast(request)) return;
      this.#failed = undefined;
      this.state.update({ ...change, isLoading: false, notice: undefined });
    } catch (error) {
      if (isCancelled(error) || !this.#isLast(request)) return;
      if (isAppError(error, "mayCost")) {
        this.#hold(request);
        return;
      }
      this.#failed = request;
      this.#options.log.error("A row could not be predicted with other values.", error);
      const { connectionId } = this;
      const address = this.#options.servers.find(connectionId)?.address;
      const notice = this.#button.createNotice(explainError(error, { connectionId, address }));
      this.state.update({ isLoading: false, notice, isAnswerOld: true });
    }
  }

  #hold(request: Request): void {
    this.#held.set(request.kind, request);
    const text = vscode.l10n.t("Predictions of this model may cost money. Nothing was sent.");
    const notice = { text, isQuestion: true, action: vscode.l10n.t("Predict") };
    this.state.update({ isLoading: false, notice });
  }

  /** False if the answer to the next request of this kind ends the progress. */
  #isLast(request: Request): boolean {
    return this.#last.get(request.kind) === request && !this.#closed.signal.aborted;
  }

  async #predict(values: string[]): Promise<Partial<WhatIfState>> {
    const own = this.#row.inputs.map((input) => input.own);
    // The row itself is part of the first request.
    const { target, predictions } = await this.#send(this.#own ? [values] : [own, values]);
    this.#own ??= { target, prediction: predictions[0]! };
    const present = predictions.at(-1)!;
    const answer = { values, target, own: this.#own.prediction, present };
    return { answer, isAnswerOld: false };
  }

  async #vary({ values, input, over }: VaryRequest): Promise<Partial<WhatIfState>> {
    const rows = over.map((json) => values.with(input, json));
    const { target, predictions } = await this.#send(rows);
    return { varied: { input, target, over, values, predictions } };
  }

  async #send(rows: string[][]): Promise<PredictedRows> {
    const { connectionId, model, inputs } = this.#row;
    const client = await this.#options.servers.client(connectionId);
    if (!this.#isCostAsked) await this.#throwIfItCosts(client);
    const names = inputs.map(({ name }) => name);
    const options = { signal: this.#closed.signal, timeLimitMs: predictTimeLimitMs() };
    return predictRows(client, model, { names, rows, target: this.#row.target }, options);
  }

  async #throwIfItCosts(client: Client): Promise<void> {
    const { project, name } = this.#row.model;
    const statement = `SELECT * FROM ${quotePath([project, name])}`;
    if (await asksAgent(client, statement)) {
      throw new AppError("mayCost", "A prediction after a reload");
    }
    this.#isCostAsked = true;
  }

  /** Runs the notice's action, which may supply what was missing, and tries again. */
  async #runNoticeAction(): Promise<void> {
    if (this.#held.size > 0) {
      const held = [...this.#held.values()];
      this.#held.clear();
      this.#isCostAsked = true;
      for (const request of held) this.#add(request);
      return;
    }
    if ((await this.#button.press()) && this.#failed) this.#add(this.#failed);
  }
}
