/** A time of the server without its fraction. */
export function wholeSeconds(time: string): string {
  return time.replace(/\.\d+$/, "");
}
