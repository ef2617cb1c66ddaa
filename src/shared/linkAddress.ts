// Which addresses in a server's text may be links.

/** Longer addresses are not links: nobody could check one before opening it. */
const longest = 2_000;

/** True for an absolute address of the web, or a mailbox. */
export function isLinkAddress(address: string): boolean {
  return address.length <= longest && /^(https?:\/\/[^/\s]|mailto:[^\s])/i.test(address);
}
