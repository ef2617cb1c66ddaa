// The settings, read when they are used and never copied.
import * as vscode from "vscode";
import { settings as ids } from "../../ids.ts";
import type { NetworkOptions } from "../../mindsdb/http/transport.ts";
import { readNumberSetting } from "../readNumberSetting.ts";
import { settingRanges } from "../settingRanges.ts";

/** A connection preset as it stands in the setting `connections`: no secrets, `id` optional. */
export interface ConnectionPreset {
  id?: string;
  name?: string;
  /** As it was written; empty where there is none. */
  address: string;
}

function own(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration(ids.section);
}

/** The presets, in their order; a hand-written setting may hold anything. */
export function connectionPresets(): ConnectionPreset[] {
  // One that stands alone, without a list around it, is meant as well.
  const value: unknown = own().get(ids.connections) ?? [];
  return [value].flat().map((item: unknown): ConnectionPreset => {
    const { id, name, address } = (item ?? {}) as Record<string, unknown>;
    return {
      address: typeof address === "string" ? address : "",
      ...(typeof id === "string" && id !== "" ? { id } : {}),
      ...(typeof name === "string" && name !== "" ? { name } : {}),
    };
  });
}

/** Seconds an agent may take; 0 is no limit. */
export function agentTimeLimit(): number {
  return number("agentTimeLimit");
}

/** How many rows go to a model in one request. */
export function predictBatchRows(): number {
  return number("predictBatchRows");
}

/** How many requests with rows may be on their way at once, at most. */
export function predictConcurrency(): number {
  return number("predictConcurrency");
}

/** How long a statement of a SQL cell may take, in ms; 0 is no limit. */
export function sqlTimeLimitMs(): number {
  return 1_000 * number("sqlTimeLimit");
}

/** How long the answer to one request with rows may take, in ms. */
export function predictTimeLimitMs(): number {
  return 1_000 * number("predictTimeLimit");
}

function number(setting: keyof typeof settingRanges): number {
  return readNumberSetting(own().get(ids[setting]), settingRanges[setting]);
}

/** VS Code's own proxy settings and our certificate file, as the transport wants them. */
export function networkOptions(): NetworkOptions {
  const http = vscode.workspace.getConfiguration("http");
  const usesProxy = http.get<string>("proxySupport", "override") !== "off";
  const caFile = own().get<unknown>(ids.caFile);
  return {
    proxy: usesProxy ? http.get<string>("proxy") || undefined : "",
    // Elsewhere such a list is one text, and so it may stand here too.
    noProxy: [http.get<unknown>("noProxy")].flat().filter((host) => typeof host === "string"),
    strictSSL: http.get<boolean>("proxyStrictSSL", true),
    // A number would be taken for an open file.
    caFile: typeof caFile === "string" && caFile !== "" ? caFile : undefined,
  };
}

/** Fires when one of ours, or VS Code's proxy settings, changes. */
export function onDidChangeNetworkSettings(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    const ours = event.affectsConfiguration(`${ids.section}.${ids.caFile}`);
    if (ours || event.affectsConfiguration("http")) listener();
  });
}
