/** A text with « and » around these places. */
export function markedText(text: string, places: { start: number; end: number }[]): string {
  return places
    .toSorted((a, b) => b.start - a.start)
    .reduce((marked, { start, end }) => {
      return `${marked.slice(0, start)}«${marked.slice(start, end)}»${marked.slice(end)}`;
    }, text);
}

/** The text without its marks. */
export const withoutMarks = (text: string): string => text.replace(/[«»]/g, "");
