// The forms of the servers' default models, one for each connection. Imported with the first one.
import { panels } from "../../ids.ts";
import { getServerSettings } from "../../mindsdb/serverSettings.ts";
import {
  FormPages,
  joinTarget,
  savedForm,
  type FormPagesOptions,
} from "../../shared/host/formPages.ts";
import type { SettingsField } from "../settingsDraft.ts";
import {
  settingsForm,
  settingsFormCalls,
  type SettingsContent,
  type SettingsForm,
} from "../settingsForm.ts";
import { createForm, SettingsFormPage } from "./settingsFormPage.ts";

const targetOf = ({ connectionId }: SettingsForm): string =>
  joinTarget("serverSettings", connectionId);

export class SettingsForms extends FormPages<
  SettingsForm,
  SettingsField,
  SettingsContent,
  typeof settingsFormCalls,
  SettingsFormPage
> {
  readonly #options: FormPagesOptions;

  constructor(options: FormPagesOptions) {
    super(
      {
        viewType: panels.serverSettings,
        page: "serverSettings",
        icon: "model",
        calls: settingsFormCalls,
        form: settingsForm,
        pageState: savedForm(settingsForm),
        targetOf,
        create: (opened) => new SettingsFormPage(opened, options),
      },
      options,
    );
    this.#options = options;
  }

  /** Opens the form with the settings as the server has them now. Throws AppError. */
  async open(connectionId: string): Promise<void> {
    const client = await this.#options.servers.client(connectionId);
    const form = createForm(connectionId, await getServerSettings(client));
    this.contents.find((page) => page.connectionId === connectionId)?.refresh(form);
    this.show(form, {});
  }
}
