// State and calls of the form of a server's default models.
import * as v from "valibot";
import { formCalls, type FormState } from "../shared/formPage.ts";
import { settingsDraft, type SettingsField } from "./settingsDraft.ts";
import { recordOf } from "../mindsdb/recordOf.ts";

const flags = recordOf(v.boolean());

export const settingsForm = v.object({
  id: v.string(),
  connectionId: v.string(),
  /** The settings before the change. */
  before: settingsDraft,
  draft: settingsDraft,
  hadKeys: v.optional(flags),
  /** Which models have a key on the server. */
  storedKeys: flags,
});
export type SettingsForm = v.InferOutput<typeof settingsForm>;

export interface SettingsContent {
  /** The request that runs only tries the models. */
  isTesting?: boolean;
}

export type SettingsFormState = FormState<SettingsForm, SettingsField> & SettingsContent;

export const settingsFormCalls = {
  ...formCalls(settingsDraft),
  test: [settingsDraft, recordOf(v.string())],
} as const;
