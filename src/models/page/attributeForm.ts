// Requests an attribute by its name, because servers describe more attributes than they list.
import { element } from "../../shared/page/dom.ts";
import { maxAttributeLength } from "../maxAttributeLength.ts";
import type { ModelTexts } from "../modelTexts.ts";

export class AttributeForm {
  readonly element = element("form", { class: "attribute-form" });

  constructor(texts: ModelTexts, ask: (name: string) => void) {
    const name = element("input", { class: "input" });
    name.id = "attribute-name";
    name.maxLength = maxAttributeLength;
    name.spellcheck = false;
    name.autocomplete = "off";
    const label = element("label", { text: texts.otherAttribute });
    label.htmlFor = name.id;
    const hint = element("p", { class: "hint", text: texts.otherAttributeHint });
    hint.id = "attribute-hint";
    name.setAttribute("aria-describedby", hint.id);
    const describe = element("button", { class: "secondary-button", text: texts.describe });
    describe.type = "submit";
    this.element.hidden = true;
    this.element.append(label, element("div", { class: "attribute-row" }, name, describe), hint);
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      const typed = name.value.trim();
      if (typed !== "") ask(typed);
    });
  }
}
