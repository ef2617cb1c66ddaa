// One browser for all page tests of a process: starting one for each file takes longer than many a test.
import type { Browser } from "playwright-core";
import { launchBrowser } from "../../scripts/vscode/browser.ts";

let started: Promise<Browser> | undefined;

/** It ends with the process. Whoever takes it closes the pages that it opens. */
export function sharedBrowser(): Promise<Browser> {
  started ??= launchBrowser();
  return started;
}

/** Closes every page, those of failed tests too. */
export async function closePages(): Promise<void> {
  const browser = await sharedBrowser();
  await Promise.all(browser.contexts().map((context) => context.close()));
}
