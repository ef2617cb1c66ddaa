// The buttons of an answer's code blocks.
import { element, iconButton } from "../../shared/page/dom.ts";
import type { PageContext } from "./pageContext.ts";

/** Gives each code block buttons that copy it and insert it into an editor. */
export function addCodeButtons(answer: HTMLElement, { formatter, post }: PageContext): void {
  const { copyCode, insertCode } = formatter.texts;
  for (const code of answer.querySelectorAll(".markdown pre")) {
    const text = code.textContent;
    const tools = element("div", { class: "tools" });
    tools.append(
      iconButton("copy", copyCode, () => post({ type: "copyText", text })),
      iconButton("insert", insertCode, () => post({ type: "insertCode", text })),
    );
    const block = element("div", { class: "code-block" });
    code.replaceWith(block);
    block.append(code, tools);
  }
}
