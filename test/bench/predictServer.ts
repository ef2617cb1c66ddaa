// A model server for benchmarks, in a process of its own: quick, and its replies are as long as a real server's.
import { fork } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";

export interface PredictServer {
  /** Any model answers; the one called `short` with as little as can be. */
  url: string;
  stop(): Promise<void>;
}

/** Starts one; rejects if it ends before it listens. */
export async function startPredictServer(): Promise<PredictServer> {
  const child = fork(import.meta.filename, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const ended = once(child, "exit");
  const [port] = (await Promise.race([
    once(child, "message"),
    ended.then(([code]) => Promise.reject(new Error(`The server ended with ${String(code)}.`))),
  ])) as [number];
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill();
      await ended;
    },
  };
}

/** Replies like a real server's, with the row repeated; and as short as replies get. */
const longReply = JSON.stringify({
  number_of_rooms: "2",
  number_of_bathrooms: "1",
  sqft: "823",
  location: "good",
  neighborhood: "westbrae",
  days_on_market: "10",
  rental_price: 3242.29,
  rental_price_explain:
    '{"predicted_value": 3242.29, "confidence": 0.9799, "anomaly": null, "truth": null, ' +
    '"confidence_lower_bound": 3063.67, "confidence_upper_bound": 3420.91}',
});
const shortReply = '{"p":1}';

const answers = new Map<string, Buffer>();

/** As many of these replies; made once, so that what is measured is the client. */
function answerOf(reply: string, count: number): Buffer {
  const key = `${count} ${reply}`;
  const answer = answers.get(key) ?? Buffer.from(`[${Array<string>(count).fill(reply).join(",")}]`);
  answers.set(key, answer);
  return answer;
}

/** Rows of these benchmarks hold no objects. */
function countRows(body: Buffer): number {
  let count = -1;
  for (let at = 0; at >= 0; at = body.indexOf("{", at + 1)) count++;
  return count;
}

function serve(request: http.IncomingMessage, response: http.ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const body = Buffer.concat(chunks);
    const reply = request.url?.includes("/short/") ? shortReply : longReply;
    const answer = answerOf(reply, countRows(body));
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": answer.length,
    });
    response.end(answer);
  });
}

if (import.meta.filename === process.argv[1]) {
  const server = http.createServer(serve).listen(0, "127.0.0.1");
  await once(server, "listening");
  process.send?.((server.address() as AddressInfo).port);
  process.on("disconnect", () => process.exit());
}
