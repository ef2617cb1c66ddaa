// What activation costs at least: an extension that does nothing.
export function activate() {
  return undefined;
}
