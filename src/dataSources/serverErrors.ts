// Finds the form field that a server's reason for a failed connection or ML engine is about. Reasons as seen on 26.1.0 and 25.14.1, and
// as the drivers word them.
import * as l10n from "@vscode/l10n";
import { withoutTraceback } from "../mindsdb/http/httpResponse.ts";
import { isSecretKey } from "../mindsdb/redact/secretNames.ts";
import type { Problem } from "../shared/formPage.ts";
import { truncate } from "../shared/oneLine.ts";
import { fieldOf } from "./dataSourceDraft.ts";

const maxReason = 600;
/** Of a longer reason no more is read. */
const maxRead = 2_000;

/** By what a reason says: the parameters it is about, of which the first one of the form is shown as wrong. */
const causes: readonly [reason: RegExp, parameters: readonly string[]][] = [
  [
    /password authentication failed|access denied for user|login failed|authentication failed|incorrect username or password|no password supplied|password/i,
    ["password", "url", "access_token", "private_key"],
  ],
  [/role "[^"]{1,200}" does not exist/i, ["user", "username"]],
  [/database "[^"]{1,200}" does not exist|unknown database|cannot open database/i, ["database"]],
  [/invalid port|out of range 0-65535|port must be/i, ["port"]],
  [
    /translate host name|name or service not known|getaddrinfo|unknown (?:mysql )?server host|nodename nor servname/i,
    ["host", "account", "url"],
  ],
  [
    /connection refused|can't connect|could not connect|no route to host|timed? ?out|timeout expired|unreachable/i,
    ["host", "account", "url"],
  ],
  [/no such file|cannot open file|unable to open database|IO Error/i, ["database", "db_file"]],
  [/\bssl\b|certificate/i, ["sslmode", "ssl", "ssl_ca"]],
  [/project.?id/i, ["project_id"]],
  [/service account|credentials/i, ["service_account_json", "service_account_keys"]],
];

/** Returns the problem to show for a reason; `parameters` are those that the form shows. */
export function findConnectionProblem(whole: string, shown: readonly string[]): Problem {
  const parameters = new Set(shown);
  const reason = whole.slice(0, maxRead);
  const missing = /^'(\w+)'$/.exec(reason)?.[1];
  if (missing !== undefined && parameters.has(missing)) {
    return { field: fieldOf(missing), text: l10n.t("The server needs a value here.") };
  }
  const found = causes
    .filter(([pattern]) => pattern.test(reason))
    .flatMap(([, about]) => about.filter((name) => parameters.has(name)))[0];
  const text =
    reason === ""
      ? l10n.t("The server could not connect, and gave no reason.")
      : l10n.t("The server could not connect: {0}", shortReason(reason));
  return { field: found === undefined ? "form" : fieldOf(found), text };
}

/** Returns the problem to show for an ML engine that could not be created; `shown` are the parameters of the form. */
export function findEngineProblem(whole: string, shown: readonly string[]): Problem {
  // It begins with the engine's name.
  const reason = withoutTraceback(whole).replace(/^\[[^\]]{0,200}\]: /, "");
  const known = new Set(shown);
  // As pydantic says it, which also repeats the values.
  const missing = /(?:^|\n)(\w{1,100})\n {2}Field required/.exec(reason.slice(0, maxRead))?.[1];
  if (missing !== undefined) {
    return known.has(missing)
      ? { field: fieldOf(missing), text: l10n.t("The server needs a value here.") }
      : { field: "rows", text: l10n.t("The server needs a value for {0}.", missing) };
  }
  const isUnreached = /APIConnectionError|connection error|timed? ?out/i.test(reason);
  const isAboutKey = /api.?key|authenticat|unauthorized|credential/i.test(reason);
  const key = isAboutKey ? shown.find(isSecretKey) : undefined;
  const text = isUnreached
    ? l10n.t("The MindsDB server can't reach the provider: {0}", shortReason(reason))
    : l10n.t("The server could not create the engine: {0}", shortReason(reason));
  return { field: key === undefined ? "form" : fieldOf(key), text };
}

/** The driver that a reason says is missing; empty if it does not name it, undefined if none is missing. */
export function findMissingDriver(reason: string): string | undefined {
  const module = /No module named '([\w.]{1,200})'/.exec(reason)?.[1];
  if (module !== undefined) return module;
  return /cannot be imported|pip install/.test(reason) ? "" : undefined;
}

/** PostgreSQL's driver repeats the address before it comes to the point. */
function shortReason(reason: string): string {
  const point = reason
    .replace(/^(?:Connection test failed: )?connection failed: (?=connection to server)/, "")
    .replace(/\s+/g, " ")
    .trim();
  return truncate(point, maxReason);
}
