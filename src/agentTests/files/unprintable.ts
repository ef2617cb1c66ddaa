const unprintable = /(?![\t\n\r\x85])\p{Cc}|[\uFFFE\uFFFF]|\p{Cs}/gu;

/** Whether js-yaml, which promptfoo uses, refuses a text because of a control character or half a surrogate pair. */
export function hasUnprintable(text: string): boolean {
  return text.search(unprintable) >= 0;
}

/** YAML with these characters as the escapes of texts in double quotes. */
export function escapeUnprintable(yaml: string): string {
  return yaml.replace(unprintable, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return String.raw`\u${code.padStart(4, "0")}`;
  });
}
