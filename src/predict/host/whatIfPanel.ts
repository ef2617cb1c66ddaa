import * as vscode from "vscode";
import { isCancelled } from "../../mindsdb/errors.ts";
import { explainError } from "../../shared/host/errorMessages.ts";
import { NoticeButton } from "../../shared/host/noticeButton.ts";
import type { PanelContent, PostToPage } from "../../shared/host/panels.ts";
import { predictTimeLimitMs } from "../../shared/host/settings.ts";
import { formatModelName } from "../notebook/modelName.ts";
import type { Prediction, ToHost, ToPage, WhatIfRow } from "../whatIf/messages.ts";
import { OneAtATime } from "../whatIf/oneAtATime.ts";
import { predictRows, type PredictedRows } from "../whatIf/predictRows.ts";
import { createWhatIfTexts } from "../whatIf/whatIfTexts.ts";
import type { PredictOptions } from "./predictOptions.ts";

type WhatIfOptions = Pick<PredictOptions, "servers" | "log">;

/** The host of a page that predicts one row with other values. */
export class WhatIfPanel implements PanelContent<ToHost, ToPage> {
  readonly #row: WhatIfRow;
  readonly #post: PostToPage<ToPage>;
  readonly #options: WhatIfOptions;
  readonly #tasks = new OneAtATime();
  readonly #closed = new AbortController();
  readonly #button = new NoticeButton();
  /** The prediction of the row itself, once it is known. */
  #own: { target: string; prediction: Prediction } | undefined;
  /** The last message that could not be answered. */
  #failed: Exclude<ToHost, { type: "accept" }> | undefined;

  constructor(row: WhatIfRow, post: PostToPage<ToPage>, options: WhatIfOptions) {
    this.#row = row;
    this.#post = post;
    this.#options = options;
  }

  get title(): string {
    return vscode.l10n.t("What If: {0}", this.#row.model.name);
  }

  get connectionId(): string {
    return this.#row.connectionId;
  }

  snapshot(): ToPage[] {
    const { model, connectionId } = this.#row;
    const connection = this.#options.servers.find(connectionId)?.name ?? connectionId;
    return [
      {
        type: "begin",
        row: this.#row,
        model: formatModelName(model),
        connection,
        texts: createWhatIfTexts(),
        locale: vscode.env.language,
      },
    ];
  }

  receive(message: ToHost): void {
    if (message.type === "accept") {
      void this.#acceptNotice();
      return;
    }
    this.#tasks.add(message.type, () => this.#answer(message));
  }

  onClosed(): void {
    this.#tasks.clear();
    this.#closed.abort();
  }

  async #answer(message: Exclude<ToHost, { type: "accept" }>): Promise<void> {
    this.#post({ type: "asking" });
    try {
      if (message.type === "predict") await this.#predict(message);
      else await this.#vary(message);
      this.#failed = undefined;
    } catch (error) {
      if (isCancelled(error)) return;
      this.#failed = message;
      this.#options.log.error("A row could not be predicted with other values.", error);
      const { connectionId } = this;
      const address = this.#options.servers.find(connectionId)?.address;
      const notice = this.#button.createNotice(explainError(error, { connectionId, address }));
      this.#post({ type: "failed", notice, isGone: false });
    }
  }

  async #predict({ request, values }: Extract<ToHost, { type: "predict" }>): Promise<void> {
    const own = this.#row.inputs.map((input) => input.own);
    // The row itself goes along in the first request.
    const { target, predictions } = await this.#send(this.#own ? [values] : [own, values]);
    this.#own ??= { target, prediction: predictions[0]! };
    const present = predictions.at(-1)!;
    this.#post({ type: "predicted", request, target, own: this.#own.prediction, present });
  }

  async #vary(message: Extract<ToHost, { type: "vary" }>): Promise<void> {
    const { request, values, input, over } = message;
    const rows = over.map((json) => values.with(input, json));
    const { predictions } = await this.#send(rows);
    this.#post({ type: "varied", request, values: over, predictions });
  }

  async #send(rows: string[][]): Promise<PredictedRows> {
    const { connectionId, model, inputs } = this.#row;
    const client = await this.#options.servers.client(connectionId);
    const names = inputs.map(({ name }) => name);
    const options = { signal: this.#closed.signal, timeLimitMs: predictTimeLimitMs() };
    return predictRows(client, model, { names, rows, target: this.#row.target }, options);
  }

  /** Runs the notice's action, which may supply what was missing, and tries again. */
  async #acceptNotice(): Promise<void> {
    if ((await this.#button.press()) && this.#failed) this.receive(this.#failed);
  }
}
