// The fields of a form, from the parameters that a handler declares and from what is known of the most used engines.
import { isSecretKey, isSecretKeyInSql } from "../mindsdb/redact/secretNames.ts";
import type { Handler, HandlerArgument } from "../mindsdb/handlers.ts";
import { engineHints, serverPathNote, type Alternative } from "./engineHints.ts";
import { engineArguments } from "./mlEngineHints.ts";

export interface ConnectionField {
  /** The parameter's. */
  name: string;
  label: string;
  description: string;
  control: "text" | "number" | "switch" | "json" | "choice";
  /** Its value is hidden and stored nowhere. */
  isSecret: boolean;
  /** A secret of several lines, like a private key. */
  isLong: boolean;
  isRequired: boolean;
  /** The value in a new form. */
  initial: string;
  placeholder: string;
  choices: readonly string[];
}

/** The parts of a form for a handler. */
interface ConnectionForm {
  fields: ConnectionField[];
  /** Ways to connect of which one is chosen; each has fields that the others do not have. */
  alternative: Alternative | undefined;
  /** Names and values are free: the handler declares nothing, or is an ML engine's, which declares only a part. */
  hasFreeRows: boolean;
}

/** Values that are never paths, whatever a server says. */
const passwordNames = /(?:password|passwd|passphrase|token|secret|api_?key)$/i;

/** Values that hold a password in an address. */
const addressNames = /^(?:url|uri|dsn|connection_?(?:string|url|uri))$/i;

export function createConnectionForm(handler: Handler): ConnectionForm {
  const { kind, name } = handler;
  const isMl = kind === "ml";
  const declared = isMl ? engineArguments(name, handler.arguments) : handler.arguments;
  if (!declared) return { fields: [], alternative: undefined, hasFreeRows: true };
  const { order = [], alternative } = engineHints(name);
  const placeOf = ({ name: argument }: HandlerArgument): number => {
    const place = order.indexOf(argument);
    return place < 0 ? order.length : place;
  };
  const names = new Set(declared.map((argument) => argument.name));
  const repeated = listRepeatedLabels(declared);
  const isKnown = alternative?.options.every(({ fields }) =>
    Object.keys(fields).some((field) => names.has(field)),
  );
  const chosenBy = isKnown ? alternative?.sentAs : undefined;
  const fields = declared
    // A choice of the form's own says it.
    .filter((argument) => argument.name !== chosenBy)
    .map((argument, at) => ({ argument, at }))
    .sort((a, b) => placeOf(a.argument) - placeOf(b.argument) || a.at - b.at)
    .map(({ argument }) => createField(name, argument, repeated));
  return { fields, alternative: isKnown ? alternative : undefined, hasFreeRows: isMl };
}

/** The fields to show for the chosen alternative, with what it requires. */
export function fieldsOfAlternative(
  { fields, alternative }: ConnectionForm,
  chosen: string,
): ConnectionField[] {
  if (!alternative) return fields;
  const option = alternative.options.find(({ id }) => id === chosen) ?? alternative.options[0];
  const known = new Set(alternative.options.flatMap((one) => Object.keys(one.fields)));
  return fields.flatMap((field) => {
    if (!known.has(field.name)) return [field];
    const isRequired = option?.fields[field.name];
    return isRequired === undefined ? [] : [{ ...field, isRequired }];
  });
}

/** Whether the value of a free row is hidden and stored nowhere. */
export function isSecretRow(name: string): boolean {
  const own = name.trim();
  return isSecretKeyInSql(own) || shortNames.test(own) || addressNames.test(own);
}

/** Names of parameters that hold nothing but a secret. */
const shortNames = /^(?:auth|bearer|key|pat)$/i;

/** Tells which parameters of a handler's data sources are secrets. */
export function secretParameters(handler: Handler): (name: string) => boolean {
  const { fields } = createConnectionForm(handler);
  const secrets = new Set(fields.flatMap(({ name, isSecret }) => (isSecret ? [name] : [])));
  return (name) => secrets.has(name) || isSecretRow(name);
}

function createField(
  engine: string,
  argument: HandlerArgument,
  repeatedLabels: ReadonlySet<string>,
): ConnectionField {
  const { name, type } = argument;
  const { fields = {} } = engineHints(engine);
  const hint = Object.hasOwn(fields, name) ? (fields[name] ?? {}) : {};
  const description = hint.description ?? argument.description?.trim() ?? "";
  const isPath = hint.isServerPath ?? type === "path";
  const isSecret =
    argument.isSecret === true || type === "pwd" || isSecretKey(name) || addressNames.test(name);
  const choices = hint.choices ?? [];
  return {
    name,
    label: hint.label ?? labelOf(argument, repeatedLabels),
    description: isPath ? joinSentences(description, serverPathNote()) : description,
    control: choices.length > 0 ? "choice" : controlOf(type, isSecret),
    // A path to a secret is none, but a password is one, whatever its type.
    isSecret: isSecret && (!isPath || passwordNames.test(name)),
    isLong: isSecret && (type === "dict" || /^private_key$/i.test(name)),
    isRequired: hint.isRequired ?? argument.isRequired ?? false,
    initial: hint.initial ?? "",
    placeholder: hint.placeholder ?? "",
    choices,
  };
}

/** Descriptions of handlers often end without a period. */
function joinSentences(first: string, second: string): string {
  if (first === "") return second;
  return `${first}${/[.!?]$/.test(first) ? "" : "."} ${second}`;
}

/** Some handlers label two parameters alike. */
function labelOf({ name, label }: HandlerArgument, repeatedLabels: ReadonlySet<string>): string {
  const own = label?.trim() ?? "";
  return own === "" || repeatedLabels.has(own) ? name : own;
}

function listRepeatedLabels(all: readonly HandlerArgument[]): Set<string> {
  const seen = new Set<string>();
  const labels = all.map(({ label }) => label?.trim() ?? "");
  return new Set(labels.filter((label) => seen.size === seen.add(label).size));
}

function controlOf(type: string | undefined, isSecret: boolean): ConnectionField["control"] {
  if (type === "dict") return "json";
  if (isSecret) return "text";
  if (type === "int") return "number";
  return type === "bool" ? "switch" : "text";
}
