// Parameters that handlers of ML engines take and do not declare, as their sources in 25.14.1 and 26.1.0 read them.
import * as l10n from "@vscode/l10n";
import type { HandlerArgument } from "../mindsdb/handlers.ts";

/** Handlers whose key is called like them. MindsDB also finds it in its environment. */
const keyedEngines: ReadonlySet<string> = new Set([
  "anthropic",
  "clipdrop",
  "cohere",
  "groq",
  "huggingface_api",
  "minds_endpoint",
  "monkeylearn",
  "openai",
  "palm",
  "portkey",
  "stabilityai",
  "timegpt",
  "togetherai",
  "twelve_labs",
  "unify",
]);

/** Engines that are offered first. */
export const commonMlEngines: readonly string[] = [
  "openai",
  "anthropic",
  "google_gemini",
  "bedrock",
  "ollama",
  "lightwood",
  "huggingface",
];

/** The parameters of a handler in the order of a form: its keys, then what it declares. */
export function engineArguments(
  name: string,
  declared: readonly HandlerArgument[] = [],
): HandlerArgument[] {
  const known = new Set(declared.map((argument) => argument.name));
  const missing = undeclaredArguments(name).filter((argument) => !known.has(argument.name));
  return [...missing, ...declared];
}

function undeclaredArguments(name: string): HandlerArgument[] {
  if (name === "bedrock") {
    return [
      { name: "aws_access_key_id", label: l10n.t("AWS Access Key ID"), isRequired: true },
      {
        name: "aws_secret_access_key",
        label: l10n.t("AWS Secret Access Key"),
        isRequired: true,
        isSecret: true,
      },
      { name: "aws_session_token", label: l10n.t("AWS Session Token"), isSecret: true },
      { name: "region_name", label: l10n.t("AWS Region"), isRequired: true },
    ];
  }
  const key = keyName(name);
  if (key === undefined) return [];
  const description = l10n.t(
    "Leave empty if the server has a key, or if each model has one of its own.",
  );
  return [{ name: key, label: l10n.t("API Key"), description, isSecret: true }];
}

function keyName(name: string): string | undefined {
  if (name === "google_gemini" || name === "leonardo_ai") return "api_key";
  return keyedEngines.has(name) ? `${name}_api_key` : undefined;
}
