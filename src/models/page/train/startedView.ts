// Replaces the form when the training has started.
import { formatMessage } from "../../../shared/formatMessage.ts";
import { element, icon, textButton } from "../../../shared/page/dom.ts";
import type { Host } from "../../../shared/page/vscodeApi.ts";
import type { StartedTraining, ToHost, TrainState, TrainTexts } from "../../trainMessages.ts";

/** Returns the view and a function that focuses its first button. */
export function createStartedView(
  { name, version }: StartedTraining,
  texts: TrainTexts,
  host: Host<ToHost, TrainState>,
): { element: HTMLElement; focus: () => void } {
  const show = textButton(texts.showModel, "primary-button", () =>
    host.post({ type: "showModel" }),
  );
  const another = textButton(texts.another, "secondary-button", () =>
    host.post({ type: "another" }),
  );
  const title = formatMessage(texts.started, name, String(version));
  const view = element(
    "main",
    { class: "form created" },
    element(
      "div",
      { class: "page" },
      element("h1", {}, icon("pass-filled"), title),
      element("p", { class: "intro", text: texts.startedNote }),
      element("div", { class: "row" }, show, another),
    ),
  );
  return { element: view, focus: () => show.focus() };
}
