import { throttle } from "../../shared/throttle.ts";
import type { RunState } from "../messages.ts";
import type { OpenResult } from "../result/openResult.ts";

/**
 * Milliseconds until a run is drawn, and between two progress messages of it. Drawing takes time from the run itself: VS
 * Code draws on the processors that a server on the same machine computes with. A run that ends sooner is drawn once.
 */
const firstDrawMs = 1_000;
const progressMs = 2_000;

/** How a run gets on screen. */
export interface RunDrawing {
  /** Replaces the output of the cell's earlier run. */
  draw: () => Promise<void>;
  /** Updates what is drawn while the run lasts. */
  postProgress: () => void;
  /** Updates what is drawn when the run has ended. */
  drawEnd: () => Promise<void>;
}

/** Decides when a run is drawn: at its end and, if it takes long or needs the user, before. */
export class DrawSchedule {
  readonly #run: Pick<OpenResult, "isRunning" | "progress">;
  readonly #drawing: RunDrawing;
  readonly #postProgress: () => void;
  readonly #timer: ReturnType<typeof setTimeout>;
  #drawn: Promise<void> | undefined;
  #state: RunState["kind"] = "running";

  constructor(
    run: Pick<OpenResult, "isRunning" | "progress">,
    drawing: RunDrawing,
    { first = firstDrawMs, progress = progressMs } = {},
  ) {
    this.#run = run;
    this.#drawing = drawing;
    this.#postProgress = throttle(progress, drawing.postProgress);
    this.#timer = setTimeout(() => void this.#draw(), first);
  }

  /** Called when the progress of the run changes. */
  update(): void {
    const { kind } = this.#run.progress.state;
    const isNewState = kind !== this.#state;
    this.#state = kind;
    if (this.#drawn) (isNewState ? this.#drawing.postProgress : this.#postProgress)();
    // A run that has ended is drawn by `end`.
    else if (isNewState && this.#run.isRunning) void this.#draw();
  }

  /** Draws the end of the run. Rejects if it cannot be drawn, for example because the notebook was closed. */
  async end(): Promise<void> {
    const isDrawn = this.#drawn !== undefined;
    await (this.#drawn ?? this.#draw());
    if (isDrawn) await this.#drawing.drawEnd();
  }

  /** Draws nothing any more. */
  dispose(): void {
    clearTimeout(this.#timer);
  }

  #draw(): Promise<void> {
    clearTimeout(this.#timer);
    this.#drawn = this.#drawing.draw();
    // `end` reports the error.
    this.#drawn.catch(() => undefined);
    return this.#drawn;
  }
}
