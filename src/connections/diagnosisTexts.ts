// Texts of a diagnosis: advice for a failed step, and the report.
import * as l10n from "@vscode/l10n";
import { AppError } from "../mindsdb/errors.ts";

export interface DiagnosisStep {
  name: string;
  state: "ok" | "failed" | "skipped";
  /** The finding, or why the step was skipped. */
  text: string;
  /** One sentence of advice about a failure. */
  advice?: string;
  ms?: number;
}

/** Returns one sentence of advice about a failure. */
export function adviceFor(error: unknown): string {
  if (!(error instanceof AppError)) return l10n.t("Check the extension's log.");
  switch (error.kind) {
    case "address":
      return l10n.t("Correct the address of the connection.");
    case "unreachable":
      return l10n.t(
        "Check that MindsDB is running there and listening on this port, that no firewall blocks it, and that your VPN is connected.",
      );
    case "timeout":
      return l10n.t(
        "Check the firewalls and VPN between this machine and the server, or try again when the server is less busy.",
      );
    case "certificate":
      return l10n.t(
        "Set mindsdbWorkbench.caFile to a file with the certificate of the server's certificate authority, or renew the server's certificate.",
      );
    case "proxy":
      return l10n.t(
        "Check the settings http.proxy and http.noProxy, and the environment variable HTTP_PROXY.",
      );
    case "notMindsDB":
      return l10n.t("Check the host, port, and path: another program answers there.");
    case "signInNeeded":
    case "signInRefused":
      return l10n.t("Sign in with the command MindsDB: Sign In.");
    case "cutOff":
      return l10n.t("Check the log of the server, or of the gateway in front of it.");
    case "notFound":
    case "conflict":
    case "refused":
    case "readOnly":
    case "mayCost":
    case "serverFault":
    case "sql":
    case "agentFailed":
    case "badAnswer":
    case "tooLarge":
    case "notUtf8":
      return l10n.t("Check the server's log.");
  }
}

/** The facts at the top of the report, and the steps. */
interface ReportHead {
  /** Names with values, a line each. */
  facts: [name: string, value: string][];
  steps: readonly DiagnosisStep[];
}

export function reportText({ facts, steps }: ReportHead): string {
  const marks = { ok: "[ok]", failed: "[failed]", skipped: "[skipped]" };
  const lines = [
    l10n.t("Diagnosis of a MindsDB Connection"),
    "",
    ...facts.map(([name, value]) => `${name}: ${value}`),
    "",
    ...steps.flatMap(({ name, state, text, advice, ms }) => [
      `${marks[state]} ${name}${ms === undefined ? "" : ` (${ms} ms)`}`,
      `    ${text}`,
      ...(advice === undefined ? [] : [`    ${l10n.t("Fix: {0}", advice)}`]),
    ]),
  ];
  return `${lines.join("\n")}\n`;
}
