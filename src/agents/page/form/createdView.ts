// Replaces the form when the agent is created.
import { formatMessage } from "../../../shared/formatMessage.ts";
import { element, icon, textButton } from "../../../shared/page/dom.ts";
import type { Host } from "../../../shared/page/vscodeApi.ts";
import type { FormTexts, CreatedAgent, PageState, ToHost } from "../../formMessages.ts";

/** Returns the view and a function that focuses its first button. */
export function createdView(
  { name, project, note }: CreatedAgent,
  texts: FormTexts,
  host: Host<ToHost, PageState>,
): { element: HTMLElement; focus: () => void } {
  const ask = textButton(texts.ask, "primary-button", () => host.post({ type: "ask" }));
  const view = element(
    "main",
    { class: "form created" },
    element(
      "div",
      { class: "page" },
      element("h1", {}, icon("pass-filled"), formatMessage(texts.created, name, project)),
      element("p", { class: "intro", text: note }),
      element(
        "div",
        { class: "row" },
        ask,
        textButton(texts.show, "secondary-button", () => host.post({ type: "show" })),
        textButton(texts.edit, "secondary-button", () => host.post({ type: "edit" })),
        textButton(texts.another, "secondary-button", () => host.post({ type: "another" })),
      ),
    ),
  );
  return { element: view, focus: () => ask.focus() };
}
