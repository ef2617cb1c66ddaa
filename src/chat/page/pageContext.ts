import type { ChatHost } from "../chatPage.ts";
import type { ChatTextFormatter } from "../chatTextFormatter.ts";

/** Parts of the page that the views of a run use. */
export interface PageContext {
  formatter: ChatTextFormatter;
  host: ChatHost;
  /** Whether the user opened or closed this step; undefined if neither. */
  wasOpened: (step: string) => boolean | undefined;
  setOpened: (step: string, open: boolean) => void;
  /** Whether the user has scrolled up, away from the newest content. */
  isReadingBack: () => boolean;
}
