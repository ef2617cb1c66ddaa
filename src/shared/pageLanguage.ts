// What a page needs to show texts and numbers in the user's language.

export interface PageLanguage {
  locale: string;
  /** The translations of the page's texts, by the English ones. */
  texts: Record<string, string>;
}
