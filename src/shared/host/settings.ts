// The settings, read on each use.
import * as vscode from "vscode";
import { settings as ids } from "../../ids.ts";
import type { NetworkOptions } from "../../mindsdb/http/transport.ts";
import { readNumberSetting } from "../readNumberSetting.ts";
import { settingRanges } from "../settingRanges.ts";

/** An entry of the setting `connections`: no secrets, `id` optional. */
export interface ConnectionPreset {
  id?: string;
  name?: string;
  /** As written; empty if absent. */
  address: string;
  /** As written. */
  protection?: unknown;
  isProduction?: unknown;
}

/** The value if it is a text, else an empty one: settings are written by hand. */
function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function own(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration(ids.section);
}

/** Returns the presets in order; ignores invalid entries of hand-written settings. */
export function connectionPresets(): ConnectionPreset[] {
  // Also accepts a single preset without a list.
  const value: unknown = own().get(ids.connections) ?? [];
  return [value].flat().map((item: unknown): ConnectionPreset => {
    const { id, name, address, protection, isProduction } = (item ?? {}) as Record<string, unknown>;
    return {
      address: text(address),
      id: text(id) || undefined,
      name: text(name) || undefined,
      protection,
      isProduction,
    };
  });
}

/** Seconds an agent may take; 0 is no limit. */
export function agentTimeLimit(): number {
  return number("agentTimeLimit");
}

/** The address of an OpenTelemetry collector; empty if traces are not sent. */
export function traceCollector(): string {
  return text(own().get(ids.traceCollector)).trim();
}

export function predictBatchRows(): number {
  return number("predictBatchRows");
}

/** The most parallel requests with rows. */
export function predictConcurrency(): number {
  return number("predictConcurrency");
}

/** Time limit for a statement of a SQL cell, in ms; 0 is no limit. */
export function sqlTimeLimitMs(): number {
  return 1_000 * number("sqlTimeLimit");
}

/** Time limit for one request with rows, in ms. */
export function predictTimeLimitMs(): number {
  return 1_000 * number("predictTimeLimit");
}

/** Whether exported CSV files begin with a byte order mark. */
export function isCsvForExcel(): boolean {
  return own().get(ids.csvForExcel) === true;
}

function number(setting: keyof typeof settingRanges): number {
  return readNumberSetting(own().get(ids[setting]), settingRanges[setting]);
}

/** Returns VS Code's proxy settings and our certificate file for the transport. */
export function networkOptions(): NetworkOptions {
  const http = vscode.workspace.getConfiguration("http");
  const usesProxy = http.get<string>("proxySupport", "override") !== "off";
  return {
    proxy: usesProxy ? text(http.get("proxy")) || undefined : "",
    // Also accepts a comma-separated string, like in other tools.
    noProxy: [http.get<unknown>("noProxy")].flat().filter((host) => typeof host === "string"),
    proxyAuthorization: text(http.get("proxyAuthorization")) || undefined,
    strictSSL: http.get<boolean>("proxyStrictSSL", true),
    // fs would treat a number as a file descriptor.
    caFile: text(own().get(ids.caFile)) || undefined,
  };
}

/** Fires when our settings or VS Code's proxy settings change. */
export function onDidChangeNetworkSettings(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    const ours = event.affectsConfiguration(`${ids.section}.${ids.caFile}`);
    if (ours || event.affectsConfiguration("http")) listener();
  });
}
