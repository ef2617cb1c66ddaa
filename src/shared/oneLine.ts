// Makes one line of texts from servers and files, in which nothing is hidden and nothing is obeyed.
import { sliceText } from "../mindsdb/cutText.ts";

/** The text in one line, truncated to `maxLength` characters. */
export function oneLine(text: string, maxLength = Infinity): string {
  return truncate(text.trim().replace(/\s+/g, " "), maxLength);
}

/** The text truncated to `maxLength` characters. */
export function truncate(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${sliceText(text, maxLength - 1).trimEnd()}…`;
}

/** The text in one line, without characters that a terminal obeys or that make it look like another one. */
export function visibleLine(text: string, maxLength = Infinity): string {
  // The rest cannot be seen, and replacing in it takes time.
  const start = text.slice(0, 10 * maxLength);
  return truncate(escapeInvisible(oneLine(start)), maxLength);
}

/** Nobody reads more of a label, and replacing in 5 MB of one takes seconds. In characters. */
const maxLabel = 20_000;

/**
 * The text as VS Code shows it in labels, messages and prompts: in one line as in `visibleLine`, and a zero-width space
 * keeps VS Code from drawing "$(name)" as an icon and "[text](command:…)" as a link that runs a command. Changes
 * nothing in its own results.
 */
export function plainLabel(text: string, maxLength = maxLabel): string {
  return visibleLine(text, maxLength).replace(/(?<=[$\]])\(/g, "\u200B(");
}

/** Characters that show nothing, or change the order of others, as `\u{202E}`. U+2800 is a blank that is no space. */
export function escapeInvisible(text: string): string {
  return text.replace(
    /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u{2800}]/gu,
    (character, at: number) => {
      if (isNeeded(character, text.slice(Math.max(0, at - 2), at), text.slice(at + 1, at + 3))) {
        return character;
      }
      return `\\u{${character.codePointAt(0)!.toString(16).toUpperCase()}}`;
    },
  );
}

const joinedLetter = /[\p{sc=Arab}\p{sc=Deva}\p{sc=Beng}\p{sc=Mlym}\p{sc=Sinh}]/u;

/** Whether it joins letters or parts of an emoji, or is the space of `plainLabel`. */
function isNeeded(character: string, before: string, after: string): boolean {
  const isAfterEmoji = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\u{FE0F}]$/u.test(before);
  switch (character) {
    case "\uFE0F":
      return isAfterEmoji && !before.endsWith(character);
    case "\u200C":
    case "\u200D":
      return (
        (isAfterEmoji && /^\p{Extended_Pictographic}/u.test(after)) ||
        (joinedLetter.test(before.slice(-1)) && joinedLetter.test(after.slice(0, 1)))
      );
    case "\u200B":
      return /[$\]]$/.test(before) && after.startsWith("(");
    default:
      return false;
  }
}
