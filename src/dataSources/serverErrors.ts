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

/** What is shown as wrong when a user, or the user's password or key, is refused. */
const secretFields = [
  "password",
  "url",
  "access_token",
  "private_key",
  "aws_secret_access_key",
  "service_account_json",
  "service_account_keys",
];
const hostFields = ["host", "server", "account", "url"];
const fileFields = ["database", "db_file", "service_account_keys", "private_key_path"];

/**
 * By what a reason says: the parameters it is about, of which the first one of the form is shown as wrong. The first
 * match decides, so a failed address of several (IPv6, then IPv4) comes after what the others say. The patterns match
 * reasons without their quoted values, which are the user's own words.
 */
const causes: readonly [reason: RegExp, parameters: readonly string[]][] = [
  [
    /(?:^|FATAL: {1,5})database ".{0,300}" does not exist|unknown database|cannot open database/i,
    ["database"],
  ],
  [/not found: dataset\b/i, ["dataset"]],
  [/(?:^|FATAL: {1,5})role ".{0,300}" does not exist|no pg_hba\.conf entry/i, ["user", "username"]],
  [/InvalidAccessKeyId/, ["aws_access_key_id"]],
  [/SignatureDoesNotMatch/, ["aws_secret_access_key"]],
  [/NoSuchBucket|bucket does not exist|invalid bucket name/i, ["bucket"]],
  [/AuthorizationHeaderMalformed|PermanentRedirect/, ["region_name"]],
  [
    /\bfile\b.{0,300} (?:does not exist|was not found)|no such file|cannot open file|unable to open database/i,
    fileFields,
  ],
  [/is not valid JSON|invalid .{0,60}\bJSON\b|valid service account/i, ["service_account_json"]],
  [/project .{0,100}(?:has not enabled|not found)|access denied: project/i, ["project_id"]],
  // Snowflake answers so for an account that does not exist.
  [/\b(?:290)?404\b.{0,80}(?:not found|account)/is, ["account"]],
  [/private key|jwt token is invalid/i, ["private_key", "private_key_path"]],
  [
    /password authentication failed|access denied for user|login failed|authentication failed|incorrect username or password|no password supplied|password is incorrect|invalid password/i,
    secretFields,
  ],
  [/invalid port|out of range 0-65535|port must be/i, ["port"]],
  [
    /translate host name|name or service not known|getaddrinfo|unknown (?:mysql )?server host|nodename nor servname|name resolution/i,
    hostFields,
  ],
  [
    /\bssl(?:error\b|:| connection\b| error\b| is required\b| is not enabled\b)|support ssl\b|certificate verify|self[- ]signed certificate|certificate file/i,
    ["sslmode", "ssl", "ssl_ca", "verify"],
  ],
  [
    /connection refused|can't connect|could not connect|unable to connect|no route to host|timed? ?out|timeout expired|unreachable/i,
    hostFields,
  ],
  [/\bIO Error\b/, fileFields],
];

/** Returns the problem to show for a reason; `parameters` are those that the form shows. */
export function findConnectionProblem(whole: string, shown: readonly string[]): Problem {
  const parameters = new Set(shown);
  const reason = whole.slice(0, maxRead);
  const missing = /^'(\w+)'$/.exec(reason)?.[1];
  if (missing !== undefined && parameters.has(missing)) {
    return { field: fieldOf(missing), text: l10n.t("The server needs a value here.") };
  }
  const invalid = /^'(\w{1,100})' is /.exec(reason)?.[1];
  const plain = withoutValues(reason);
  const found =
    invalid !== undefined && parameters.has(invalid)
      ? invalid
      : causes
          .filter(([pattern]) => pattern.test(plain))
          .flatMap(([, about]) => about.filter((name) => parameters.has(name)))[0];
  const text =
    reason === ""
      ? l10n.t("The server could not connect and gave no reason.")
      : l10n.t("The server could not connect: {0}", shortReason(reason));
  return { field: found === undefined ? "form" : fieldOf(found), text };
}

/** Empties what is between quotes, and addresses. Apostrophes, as in "can't", are not quotes. Takes linear time. */
function withoutValues(reason: string): string {
  return reason
    .replace(/(?<!\w)(["'`])(?:(?!\1)[^\\\n]|\\.){0,500}\1/g, '""')
    .replace(/\bhttps?:\/\/[^\s:]+(?::\d+[^\s:]*)?/g, '""');
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
