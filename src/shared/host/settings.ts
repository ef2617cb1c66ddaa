// The settings, read when they are used and never copied.
import * as vscode from "vscode";
import { settings as ids } from "../../ids.ts";
import type { NetworkOptions } from "../../mindsdb/transport.ts";

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
  const value: unknown = own().get(ids.connections);
  if (!Array.isArray(value)) return [];
  return value.map((item: unknown): ConnectionPreset => {
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
  const value = own().get<number>(ids.agentTimeLimit, 0);
  return Number.isFinite(value) && value > 0 ? value : 0;
}

/** How many rows go to a model in one request. */
export function predictBatchRows(): number {
  return between(1, 10_000, own().get<number>(ids.predictBatchRows, 1_000));
}

/** How many requests with rows may be on their way at once. */
export function predictConcurrency(): number {
  return between(1, 4, own().get<number>(ids.predictConcurrency, 2));
}

/** How long the answer to one request with rows may take, in ms. */
export function predictTimeLimitMs(): number {
  return 1_000 * between(1, 86_400, own().get<number>(ids.predictTimeLimit, 300));
}

/** A hand-written setting may hold anything. */
function between(least: number, most: number, value: number): number {
  return Math.min(most, Math.max(least, Math.round(value) || least));
}

/** VS Code's own proxy settings and our certificate file, as the transport wants them. */
export function networkOptions(): NetworkOptions {
  const http = vscode.workspace.getConfiguration("http");
  const usesProxy = http.get<string>("proxySupport", "override") !== "off";
  return {
    proxy: usesProxy ? http.get<string>("proxy") || undefined : "",
    noProxy: http.get<string[]>("noProxy", []),
    strictSSL: http.get<boolean>("proxyStrictSSL", true),
    caFile: own().get<string>(ids.caFile) || undefined,
  };
}

/** Fires when one of ours, or VS Code's proxy settings, changes. */
export function onDidChangeNetworkSettings(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    const ours = event.affectsConfiguration(`${ids.section}.${ids.caFile}`);
    if (ours || event.affectsConfiguration("http")) listener();
  });
}
