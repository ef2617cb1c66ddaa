// The code blocks of an answer: their colors, and their buttons.
import * as l10n from "@vscode/l10n";
import { render } from "preact";
import { colorCode, type CodeLanguage } from "../../shared/codeColors.ts";
import { ColoredCode } from "../../shared/page/coloredCode.tsx";
import { element } from "../../shared/page/dom.ts";
import { IconButton } from "../../shared/page/parts.tsx";
import type { PageContext } from "./pageContext.ts";

/** The most code of an answer that gets colors, in characters. */
const maxColored = 50_000;

/** Colors the code of the languages that `markdownToHtml` names. */
export function colorCodeBlocks(answer: HTMLElement): void {
  let left = maxColored;
  for (const code of answer.querySelectorAll<HTMLElement>("pre > code[class^='language-']")) {
    const text = code.textContent;
    const language = code.className.slice("language-".length) as CodeLanguage;
    const pieces = text.length > left ? undefined : colorCode(text, language);
    if (!pieces) continue;
    left -= text.length;
    code.replaceChildren();
    render(<ColoredCode pieces={pieces} />, code);
  }
}

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
