// Decides which addresses in text from a server may be links.

/** Longer addresses are not links, because users could not check them before opening. */
const maxAddressLength = 2_000;

/** True for an absolute http, https or mailto address. */
export function isLinkAddress(address: string): boolean {
  return address.length <= maxAddressLength && /^(https?:\/\/[^/\s]|mailto:[^\s])/i.test(address);
}
