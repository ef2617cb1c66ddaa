// Handlers: the kinds of data sources that a server has, and what connecting one takes.
import * as v from "valibot";
import { decodeList, optionalText } from "./decode.ts";
import { filesSource } from "./filesSource.ts";
import { apiPath, type CallOptions, type Client } from "./http/client.ts";
import { isObject } from "./json.ts";
import { compareNames } from "./nameOrder.ts";

const optionalFlag = v.fallback(v.optional(v.boolean()), undefined);

/** A parameter of a connection, as the handler declares it. What it does not declare is absent. */
export const handlerArgument = v.object({
  name: v.string(),
  /** `str`, `int`, `bool`, `pwd`, `path`, `dict`, `url`. */
  type: optionalText,
  label: optionalText,
  description: optionalText,
  isRequired: optionalFlag,
  isSecret: optionalFlag,
});
export type HandlerArgument = v.InferOutput<typeof handlerArgument>;

export const handler = v.object({
  /** The engine of its data sources, like `postgres`. */
  name: v.string(),
  title: v.string(),
  description: optionalText,
  /** Its driver is installed. */
  isReady: v.boolean(),
  /** Why it cannot be used yet. */
  importError: optionalText,
  /** In the order of a form; absent if it declares none. */
  arguments: v.optional(v.array(handlerArgument)),
});
export type Handler = v.InferOutput<typeof handler>;

const handlerRow = v.looseObject({
  name: v.string(),
  type: optionalText,
  title: optionalText,
  description: optionalText,
  connection_args: v.unknown(),
  import: v.fallback(
    v.looseObject({ success: optionalFlag, error_message: optionalText }),
    {} as { success: undefined; error_message: undefined },
  ),
});

/** These take the parameters of another handler and declare none. */
const argumentsOf = new Map([["timescaledb", "postgres"]]);

/**
 * The handlers of data sources, by title. One request, which is slow once: the server imports all of them first (13 s on
 * an idle machine with 25.14.1), and sends their pictures (2.7 MB).
 */
export async function listHandlers(client: Client, options: CallOptions = {}): Promise<Handler[]> {
  const answer = await client.get("/api/handlers/", { timeoutMs: 120_000, ...options });
  const all = decodeList(handlerRow, answer, client.secrets)
    .filter(({ type, name }) => type !== "ml" && name !== filesSource)
    .map(toHandler);
  return addSharedArguments(all).sort((a, b) => compareNames(a.title, b.title));
}

/** Has the server install the driver of a handler with pip, which may take minutes. Throws AppError with pip's output. */
export async function installDriver(
  client: Client,
  name: string,
  options: CallOptions = {},
): Promise<void> {
  const path = apiPath`/api/handlers/${name}/install`;
  await client.post(path, undefined, { timeoutMs: 0, ...options });
}

/** The handlers, those that declare nothing with the arguments of the one whose they take. */
export function addSharedArguments(all: readonly Handler[]): Handler[] {
  const declared = new Map(all.map(({ name, arguments: own }) => [name, own]));
  return all.map((one) => ({
    ...one,
    arguments: one.arguments ?? declared.get(argumentsOf.get(one.name) ?? ""),
  }));
}

function toHandler(row: v.InferOutput<typeof handlerRow>): Handler {
  const { name, title, description, import: imported } = row;
  const isReady = imported.success === true;
  return {
    name,
    title: title === undefined || title.trim() === "" ? name : title,
    description,
    isReady,
    // Servers keep the message after the driver was installed.
    importError: isReady ? undefined : imported.error_message,
    arguments: readArguments(row.connection_args),
  };
}

function readArguments(declared: unknown): HandlerArgument[] | undefined {
  if (!isObject(declared)) return undefined;
  const found = Object.entries(declared).flatMap(([name, argument]): HandlerArgument[] => {
    if (!isObject(argument)) return [];
    const { type, label, description, required, secret } = argument;
    const parsed = v.safeParse(handlerArgument, {
      name,
      type,
      label,
      description,
      isRequired: required,
      isSecret: secret,
    });
    return parsed.success ? [parsed.output] : [];
  });
  return found.length > 0 ? found : undefined;
}
