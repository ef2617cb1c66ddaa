// Simulates a window for the shared sample server: a separate process that executes commands from the test.
import { SharedSampleServer } from "../../../src/sample/sharedServer/sharedServer.ts";

/** A command from the parent. Each is answered by an `Outcome` with its number. */
export type Order = { number: number } & (
  | { what: "open"; folder: string; ports?: readonly number[] }
  | { what: "start" | "connect" | "stop" | "close" }
);

/** The result of a command, or (without a number) a change of the address. */
export interface Outcome {
  number?: number;
  url?: string | undefined;
  error?: string;
}

const tell = (outcome: Outcome): void => void process.send?.(outcome);
let shared: SharedSampleServer | undefined;

async function obey(order: Order): Promise<string | undefined> {
  if (order.what !== "open") return (await shared?.[order.what]()) ?? undefined;
  const { folder, ports } = order;
  const onChange = (url: string | undefined) => tell({ url });
  shared = new SharedSampleServer({ folder, stepDelay: 0, onChange, ...(ports && { ports }) });
  return undefined;
}

process.on("message", (order: Order) => {
  const { number } = order;
  obey(order).then(
    (url) => tell({ number, url }),
    (error: unknown) => tell({ number, error: String(error) }),
  );
});
process.on("disconnect", () => process.exit(0));
