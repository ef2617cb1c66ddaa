// The buttons of an answer's code blocks.
import * as l10n from "@vscode/l10n";
import { render } from "preact";
import { element } from "../../shared/page/dom.ts";
import { IconButton } from "../../shared/page/parts.tsx";
import type { PageContext } from "./pageContext.ts";

/** Gives each code block buttons that copy it and insert it into an editor. */
export function addCodeButtons(answer: HTMLElement, { host }: PageContext): void {
  for (const code of answer.querySelectorAll(".markdown pre")) {
    const text = code.textContent;
    const tools = element("div", { class: "tools" });
    const block = element("div", { class: "code-block" });
    code.replaceWith(block);
    block.append(code, tools);
    render(
      <>
        <IconButton icon="copy" label={l10n.t("Copy Code")} press={() => host.copyText(text)} />
        <IconButton
          icon="insert"
          label={l10n.t("Insert at Cursor")}
          press={() => host.insertCode(text)}
        />
      </>,
      tools,
    );
  }
}
