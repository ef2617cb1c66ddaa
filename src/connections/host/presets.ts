// Connections from the settings, and a warning about invalid addresses.
import * as vscode from "vscode";
import { settings } from "../../ids.ts";
import { formatAddress, parseAddress } from "../../mindsdb/http/serverAddress.ts";
import type { Log } from "../../shared/host/log.ts";
import { connectionPresets, type ConnectionPreset } from "../../shared/host/settings.ts";
import { nameFor, readGuard, type Connection } from "../../shared/connection.ts";
import { assignPresetIds } from "../presetIds.ts";

const setting = `${settings.section}.${settings.connections}`;

/** The presets as connections, without those with an invalid address. */
export function presetConnections(): Connection[] {
  const presets = connectionPresets().flatMap((preset) => readAddress(preset) ?? []);
  return assignPresetIds(presets).map(({ id, name, address, ...guard }) => {
    return { id, name: name ?? nameFor(address), address, ...readGuard(guard), isPreset: true };
  });
}

/** Warns about ignored presets, once for each state of the setting. */
export class PresetProblems {
  readonly #log: Log;
  #lastReported = "";

  constructor(log: Log) {
    this.#log = log;
  }

  tell(): void {
    const wrong = connectionPresets().flatMap((preset, index) =>
      readAddress(preset) ? [] : [getName(preset, index)],
    );
    // The address is not shown, because it may contain a password.
    const names = wrong.join(", ");
    if (names === this.#lastReported) return;
    this.#lastReported = names;
    if (names === "") return;
    const text = vscode.l10n.t("Ignored {1} in {0}: not a valid address.", setting, names);
    this.#log.info(text);
    void this.#show(text);
  }

  async #show(text: string): Promise<void> {
    const { showWarning } = await import("../../shared/host/notifications.ts");
    const open = vscode.l10n.t("Open Settings");
    if ((await showWarning(text, open)) !== open) return;
    await vscode.commands.executeCommand("workbench.action.openSettings", setting);
  }
}

function getName({ name }: ConnectionPreset, index: number): string {
  return name ?? vscode.l10n.t("entry {0}", index + 1);
}

/** The preset with its address normalized; undefined if it is invalid. */
function readAddress({ address, ...preset }: ConnectionPreset): ConnectionPreset | undefined {
  try {
    return { ...preset, address: formatAddress(parseAddress(address)) };
  } catch {
    return undefined;
  }
}
