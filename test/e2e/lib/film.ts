// A moving picture of what a person does in the window: pictures taken one after the other, with a pointer drawn into them.
import { setTimeout as sleep } from "node:timers/promises";
import type { Locator, Page } from "playwright-core";

export interface FilmedFrame {
  png: Buffer;
  /** How long it is shown, in ms. */
  ms: number;
}

/** No picture stands longer, however long the machine took: waiting is cut. */
const longestMs = 1_200;
/** Time to read how it ended, before it begins again. */
const lastMs = 3_000;

export class Film {
  readonly #page: Page;
  readonly #frames: FilmedFrame[] = [];

  private constructor(page: Page) {
    this.#page = page;
  }

  /** Films while `play` runs. */
  static async of(page: Page, play: (film: Film) => Promise<void>): Promise<FilmedFrame[]> {
    const film = new Film(page);
    await film.#drawPointer();
    const end = new AbortController();
    const recording = film.#record(end.signal);
    try {
      await play(film);
    } finally {
      end.abort();
      await recording;
      await page.locator("#film-pointer").evaluate((pointer) => pointer.remove());
    }
    film.#frames.at(-1)!.ms = lastMs;
    return film.#frames;
  }

  /** Moves the pointer to an element and clicks it. */
  async click(element: Locator): Promise<void> {
    await this.pointTo(element);
    await element.click();
    await sleep(500);
  }

  async pointTo(element: Locator): Promise<void> {
    await element.waitFor();
    const box = await element.boundingBox();
    if (!box) throw new Error("There is nothing to point to");
    const [x, y] = [box.x + Math.min(box.width / 2, 60), box.y + box.height / 2];
    await this.#page.locator("#film-pointer").evaluate(
      (pointer, [left, top]) => {
        pointer.style.transform = `translate(${String(left)}px, ${String(top)}px)`;
      },
      [x, y],
    );
    await this.#page.mouse.move(x, y);
    await sleep(700);
  }

  /** Types like a person. */
  async type(element: Locator, text: string): Promise<void> {
    await this.click(element);
    await element.pressSequentially(text, { delay: 45 });
    await sleep(500);
  }

  /** Lets the viewer read. */
  read(ms = 1_500): Promise<void> {
    return sleep(ms);
  }

  async #record(end: AbortSignal): Promise<void> {
    let takenAt = Date.now();
    while (!end.aborted) {
      const png = await this.#page.screenshot();
      const last = this.#frames.at(-1);
      const now = Date.now();
      if (last?.png.equals(png)) {
        last.ms = Math.min(longestMs, last.ms + now - takenAt);
      } else {
        this.#frames.push({ png, ms: Math.min(longestMs, now - takenAt) });
      }
      takenAt = now;
      await sleep(80);
    }
  }

  /** A headless browser draws none. */
  async #drawPointer(): Promise<void> {
    await this.#page.evaluate(() => {
      const pointer = document.createElement("div");
      pointer.id = "film-pointer";
      Object.assign(pointer.style, {
        position: "fixed",
        left: "0",
        top: "0",
        width: "22px",
        height: "22px",
        margin: "-11px 0 0 -11px",
        borderRadius: "50%",
        background: "rgb(255 214 0 / 45%)",
        border: "2px solid rgb(255 214 0)",
        pointerEvents: "none",
        zIndex: "1000000",
        transform: "translate(480px, 300px)",
        transition: "transform 400ms ease-in-out",
      });
      document.body.append(pointer);
    });
  }
}
