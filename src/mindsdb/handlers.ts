// Handlers: the kinds of data sources and ML engines that a server has, and what connecting or creating one takes.
import * as v from "valibot";
import { cutOff } from "./cutText.ts";
import { decodeList, itemName, optionalText } from "./decode.ts";
import { filesSource } from "./filesSource.ts";
import { apiPath, type CallOptions, type Client } from "./http/client.ts";
import { responseLimits } from "./http/responseBody.ts";
import { isObject } from "./json.ts";
import { compareNames } from "./nameOrder.ts";

const optionalFlag = v.fallback(v.optional(v.boolean()), undefined);

/** A parameter of a connection, as the handler declares it. What it does not declare is absent. */
const handlerArgument = v.object({
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
  /** `data` for data sources, `ml` for ML engines. */
  kind: v.picklist(["data", "ml"]),
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
export type HandlerKind = Handler["kind"];

const handlerRow = v.looseObject({
  name: itemName,
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

/** Takes the user's code, which is uploaded in a way of its own. */
const uploadedCode = "byom";

/**
 * The handlers of data sources, or of ML engines, by title. One request, which is slow once: the server imports all of them
 * first (13 s on an idle machine with 25.14.1), and sends their pictures (2.7 MB).
 */
export async function listHandlers(
  client: Client,
  { kind = "data", ...options }: CallOptions & { kind?: HandlerKind } = {},
): Promise<Handler[]> {
  const answer = await client.get("/api/handlers/", {
    timeoutMs: 120_000,
    limits: responseLimits.listing,
    ...options,
  });
  let left = maxImportErrors;
  const cutError = (text: string): string => {
    const error = cutOff(text, Math.max(1, Math.min(maxImportError, left)));
    left -= error.length;
    return client.secrets.redact(error);
  };
  const all = decodeList(handlerRow, answer, client.secrets)
    .filter(({ type }) => (type === "ml") === (kind === "ml"))
    .filter(({ name }) => name !== filesSource && name !== uploadedCode)
    .map((row) => toHandler(kind, row, cutError));
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

/** Characters of why a driver cannot be imported, and of all these reasons. */
const maxImportError = 20_000;
const maxImportErrors = 200_000;

/** `cutError` returns the text that is shown of an error. */
function toHandler(
  kind: HandlerKind,
  row: v.InferOutput<typeof handlerRow>,
  cutError: (text: string) => string,
): Handler {
  const { name, title, description, import: imported } = row;
  const isReady = imported.success === true;
  return {
    kind,
    name,
    title: title === undefined || title.trim() === "" ? name : title,
    description,
    isReady,
    // Servers keep the message after the driver was installed.
    importError: isReady ? undefined : cutError(imported.error_message ?? ""),
    arguments: readArguments(
      kind === "ml" ? creationArguments(row.connection_args) : row.connection_args,
    ),
  };
}

/** Those of engines are beside those of predictions, and often only a list of names. */
function creationArguments(declared: unknown): unknown {
  const { creation_args: given } = isObject(declared) ? declared : {};
  if (!Array.isArray(given)) return given;
  return Object.fromEntries(given.filter(isObject).map((one) => [String(one["name"]), one]));
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
