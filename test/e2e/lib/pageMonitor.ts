// What the pages of a window do in the background: requests, console errors, violations of a Content Security Policy.
import type { Page, Request } from "playwright-core";

export interface WatchedRequest {
  url: string;
  /** The URL of the requesting frame. */
  frame: string;
  kind: string;
  /** True if a Content Security Policy blocked the request. */
  blocked: boolean;
}

export interface WatchedMessage {
  text: string;
  /** The script or page that caused the error. */
  source: string;
}

export class PageMonitor {
  readonly requests: WatchedRequest[] = [];
  readonly errors: WatchedMessage[] = [];
  readonly violations: WatchedMessage[] = [];
  readonly #origin: string;

  /** Starts collecting; `url` is VS Code's own address. */
  constructor(page: Page, url: string) {
    this.#origin = new URL(url).origin;
    const entries = new WeakMap<Request, WatchedRequest>();
    page.context().on("request", (request) => {
      const frame = request.serviceWorker() ? "(service worker)" : request.frame().url();
      const entry = { url: request.url(), frame, kind: request.resourceType(), blocked: false };
      this.requests.push(entry);
      entries.set(request, entry);
    });
    page.context().on("requestfailed", (request) => {
      const entry = entries.get(request);
      if (entry) entry.blocked = request.failure()?.errorText === "csp";
    });
    page.on("console", (message) => {
      const entry = { text: message.text(), source: message.location().url };
      // Chromium reports a violation as a console message.
      if (/violates the following (report-only )?Content Security Policy/i.test(entry.text)) {
        this.violations.push(entry);
      } else if (message.type() === "error") {
        this.errors.push(entry);
      }
    });
    page.on("pageerror", (error) => {
      this.errors.push({ text: String(error.stack ?? error), source: "page" });
    });
  }

  /**
   * Requests to anywhere but VS Code itself, as far as no policy stopped them. What an extension ships has a host name of
   * its own, for which VS Code's service worker answers.
   */
  foreignRequests(): WatchedRequest[] {
    return this.requests.filter(({ url, blocked }) => {
      if (blocked) return false;
      const { protocol, origin, hostname } = new URL(url);
      if (origin === this.#origin || hostname.endsWith(".vscode-resource.vscode-cdn.net")) {
        return false;
      }
      return ["http:", "https:", "ws:", "wss:"].includes(protocol);
    });
  }

  /** Console errors of webviews; VS Code's own window always has some. */
  webviewErrors(): WatchedMessage[] {
    return this.errors.filter(({ source }) =>
      /\/webview\/browser\/pre\/|vscode-remote-resource|vscode-cdn\.net/.test(source),
    );
  }

  /** Clears what was collected, to check a single step. */
  clear(): void {
    for (const list of [this.requests, this.errors, this.violations]) list.length = 0;
  }
}
