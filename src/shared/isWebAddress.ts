/** Whether a text is an HTTP address that a server can call. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s/?#]+([/?#]\S*)?$/i.test(text) && URL.canParse(text);
}
