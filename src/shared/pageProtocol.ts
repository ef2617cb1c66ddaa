// How a page and its host talk: the page shows the host's state, and calls the host.
import * as v from "valibot";

/** The calls that a page may make, with the schemas of their arguments. */
export type Calls = Record<string, readonly v.GenericSchema[]>;

type Arguments<Schemas extends readonly v.GenericSchema[]> = {
  -readonly [Index in keyof Schemas]: v.InferOutput<Schemas[Index]>;
};

/** The host's function for each call; the page gets what it returns. */
export type Handlers<All extends Calls> = {
  [Name in keyof All]: (...given: Arguments<All[Name]>) => unknown;
};

/** The calls as the page makes them; rejected if the host refuses one or fails. */
export type Host<All extends Calls> = {
  [Name in keyof All]: (...given: Arguments<All[Name]>) => Promise<unknown>;
};

/** Schema of every message that a page may send. */
export const fromPage = v.variant("type", [
  /** A new page has no state yet. */
  v.object({ type: v.literal("ready") }),
  /** The last state is on the screen. */
  v.object({ type: v.literal("shown") }),
  /** The oldest items that were not yet on the screen are. */
  v.object({ type: v.literal("itemsShown") }),
  v.object({
    type: v.literal("call"),
    id: v.number(),
    name: v.string(),
    given: v.array(v.unknown()),
  }),
]);
export type FromPage = v.InferOutput<typeof fromPage>;
type Call = Extract<FromPage, { type: "call" }>;

/** A new page gets the whole state, later the keys that have changed. */
export interface StatePost<State> {
  type: "state";
  isWhole: boolean;
  changes: Partial<State>;
  /** Keys that are now undefined: posts are JSON, which leaves them out. */
  removed: (keyof State)[];
}

/** Items of a page's channel, in order. */
export interface ItemsPost<Item> {
  type: "items";
  /** The page drops what it shows of the channel: all items come again. */
  isFirst: boolean;
  /** False while items from before the page's time are still to come. */
  isUpToDate: boolean;
  items: Item[];
}

export type ToPage<State, Item = never> =
  | StatePost<State>
  | ItemsPost<Item>
  | { type: "answer"; id: number; answer?: unknown; hasFailed: boolean };

export class InvalidCallError extends Error {}

/** Checks a page's call and runs its handler. Throws InvalidCallError, which names no value of the page's. */
export async function answerCall<All extends Calls>(
  calls: All,
  handlers: Handlers<All>,
  { name, given }: Pick<Call, "name" | "given">,
): Promise<unknown> {
  const schemas = Object.hasOwn(calls, name) ? calls[name] : undefined;
  if (!schemas) throw new InvalidCallError("no such call");
  const checked = v.safeParse(v.strictTuple([...schemas]), given);
  if (!checked.success) {
    const places = checked.issues.map((issue) => v.getDotPath(issue) ?? "its arguments");
    throw new InvalidCallError(`${name}: ${places.join(", ")}`);
  }
  const handle = handlers[name] as (...given: unknown[]) => unknown;
  return await handle(...checked.output);
}
