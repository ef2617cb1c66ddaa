// Agents whose streams a test writes frame by frame. All other requests are forwarded to the server behind.
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";

/** A question that waits for the test's response. */
export interface HeldQuestion {
  messages: { question: string; answer: string }[];
  /** Sends one event for each value; a string is sent unchanged. */
  send(...frames: unknown[]): void;
  /** Ends the body like a server that has finished. */
  end(): void;
  /** Breaks the connection. */
  break(): void;
  /** Resolves with the time (epoch ms) when either side has closed the connection. */
  closed: Promise<number>;
}

const streamPath = "/completions/stream";

export class HeldStreams {
  /** The URL of the server behind. */
  target: string;
  readonly #server: http.Server;
  readonly #waiting: ((question: HeldQuestion) => void)[] = [];

  constructor(target: string) {
    this.target = target;
    this.#server = http.createServer((request, response) => {
      // A window that closes can be in the middle of its request.
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  async start(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Holds the next question to any agent; it is not forwarded. */
  hold(): Promise<HeldQuestion> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const hold = request.url?.endsWith(streamPath) ? this.#waiting.shift() : undefined;
    if (hold) hold(holdQuestion(body, response));
    else this.#forward(request, body, response);
  }

  #forward(request: http.IncomingMessage, body: Buffer, response: http.ServerResponse): void {
    const { method, url, headers } = request;
    const upstream = http.request(
      new URL(url ?? "/", this.target),
      { method, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    upstream.on("error", () => response.destroy());
    response.once("close", () => upstream.destroy());
    upstream.end(body);
  }
}

function holdQuestion(body: Buffer, response: http.ServerResponse): HeldQuestion {
  const { messages } = JSON.parse(body.toString("utf8")) as Pick<HeldQuestion, "messages">;
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  response.flushHeaders();
  return {
    messages,
    send(...frames) {
      for (const frame of frames) {
        const data = typeof frame === "string" ? frame : JSON.stringify(frame);
        response.write(`data: ${data}\n\n`);
      }
    },
    end: () => void response.end(),
    break: () => void response.destroy(),
    closed: once(response, "close").then(() => Date.now()),
  };
}
