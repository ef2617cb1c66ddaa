// Names of files that are made of names which anybody may have chosen.
import { sliceText } from "../../mindsdb/cutText.ts";

const maxLength = 40;
const maxFileNameLength = 100;
/** Windows opens a device instead of a file of such a name, whatever its ending. */
const deviceName = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?=\.|$)/i;

/** Makes a name or a question safe for a path; a long one ends with a whole word. */
export function toFileName(name: string): string {
  const safe = withoutDevice(name.replace(/[^\p{L}\p{N} _-]/gu, "_"));
  if (safe.length <= maxLength) return safe;
  const wordEnd = safe.lastIndexOf(" ", maxLength);
  return sliceText(safe, wordEnd > 0 ? wordEnd : maxLength);
}

/** Replaces only what no file name can have on every system, and what is invisible. */
export function cleanFileName(name: string): string {
  const safe = name.replace(/[/\\:*?"<>|\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "_");
  return withoutDevice(sliceText(safe, maxFileNameLength));
}

function withoutDevice(name: string): string {
  return name.replace(deviceName, "$&_");
}
