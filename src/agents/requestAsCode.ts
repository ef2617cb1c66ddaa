// Requests to copy, with placeholders in place of secrets.
import type { AgentFields } from "../mindsdb/agentFields.ts";
import { isSecretKey } from "../mindsdb/redact/secretNames.ts";
import type { Shell } from "../shared/shells.ts";
import { keyPlaceholder } from "../shared/usingClause.ts";

/** Returns the request's body. */
export function formatBody(fields: AgentFields): string {
  const hideKeys = (name: string, value: unknown): unknown =>
    isSecretKey(name) && typeof value === "string" ? keyPlaceholder : value;
  return JSON.stringify({ agent: fields }, hideKeys, 2);
}

/**
 * Returns the request as a curl command for a shell. No text in it means anything to a shell: in JSON and addresses,
 * signs can be escaped so that only letters and digits remain of them.
 */
export function formatCurl(request: {
  method: "POST" | "PUT";
  /** The server's address, without a trailing slash. */
  address: string;
  /** Starts with `/api`; percent-encoded. */
  path: string;
  fields: AgentFields;
  /** Stands for the token, if the server requires one: a placeholder, or an environment variable. */
  token: { placeholder: string } | { variable: string } | undefined;
  shell: Shell;
}): string {
  const { method, address, path, fields, token, shell } = request;
  const url = (address + path).replace(/[^\w.:/%?&=[\]~-]/g, (sign) =>
    [...new TextEncoder().encode(sign)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
      .join(""),
  );
  const body = formatBody(fields);
  const placeholder = token && "placeholder" in token ? token.placeholder : undefined;
  const headers = [
    ...(placeholder === undefined ? [] : [`Authorization: Bearer ${placeholder}`]),
    "Content-Type: application/json",
  ];
  /** A header that the shell completes, so that the token itself is not copied. */
  const variable = token && "variable" in token ? token.variable : undefined;
  if (shell === "cmd") {
    const json = escapeInJson(
      JSON.stringify(JSON.parse(body)),
      /\\["\\]|[^\x20-\x7e]|[%!^&|<>`$']/g,
    );
    const words = [url, ...headers, json.replaceAll('"', '\\"')].map(quoteForCmd);
    const [target, ...rest] = words;
    const data = rest.pop();
    const all = [
      ...rest,
      ...(variable === undefined ? [] : [`^"Authorization:^ Bearer^ %${variable}%^"`]),
    ];
    return `curl -X ${method} ${target!} ${all.map((header) => `-H ${header} `).join("")}-d ${data!}`;
  }
  if (shell === "powershell") {
    // Windows PowerShell loses double quotes in arguments and other letters than ASCII in pipes; its `curl` is an alias.
    const json = escapeInJson(body, /[^\n\x20-\x7e]|'/g);
    const options = [
      ...headers.map((header) => `-H '${header}'`),
      ...(variable === undefined ? [] : [`-H "Authorization: Bearer $env:${variable}"`]),
    ].join(" ");
    return `'${json}' | & (Get-Command curl -CommandType Application)[0] -X ${method} '${url}' ${options} -d '@-'`;
  }
  return [
    `curl -X ${method} '${url}'`,
    ...headers.map((header) => `-H '${header}'`),
    ...(variable === undefined ? [] : [`-H "Authorization: Bearer $${variable}"`]),
    `-d '${escapeInJson(body, /['!\u007f-\u009f\u2028\u2029]|\\\\/g)}'`,
  ].join(" \\\n  ");
}

/** Signs become `\uXXXX`, also those after a backslash: fish unescapes two of them, and programs of Windows `\\"`. */
function escapeInJson(json: string, signs: RegExp): string {
  return json.replace(signs, (sign) => {
    const unit = sign.charCodeAt(sign.length - 1);
    return `\\u${unit.toString(16).padStart(4, "0")}`;
  });
}

/** A caret makes cmd take the next sign literally, quotes too, so that it never sees a quoted text. */
function quoteForCmd(text: string): string {
  return `"${text}"`.replace(/[^\w .,:/=@{}[\]\\-]/g, "^$&").replaceAll(" ", "^ ");
}
