// The test files of the workspace as items of the Test Explorer, kept up to date.
import { setImmediate } from "node:timers/promises";
import * as vscode from "vscode";
import type { Log } from "../../../shared/host/log.ts";
import { readSmallFile } from "../../../shared/host/readFileChunks.ts";
import { plainLabel } from "../../../shared/oneLine.ts";
import { DiscoveryLimits } from "../../files/discoveryLimits.ts";
import { describeAssertion } from "../../runs/runTests.ts";
import type { AgentTest, Assertion, TestedAgent, TestFile } from "../../files/testFile.ts";
import {
  ignoredFolders,
  isAgentTestFile,
  isTestFile,
  testFileGlob,
} from "../../files/testFileNames.ts";
import type { TextRange } from "../../files/yamlTree.ts";
import { maxFileLength } from "../../files/yamlTree.ts";
import { parseTestFile } from "./parseTestFile.ts";
import { createTestMessage } from "../testMessages.ts";
import { findOpenDocument, TestProblems } from "./testProblems.ts";
import { isAppError } from "../../../mindsdb/errors.ts";

/** The most files that are read. */
const maxFiles = 500;
/** Assertions of larger files become items when a test is expanded or has failed: thousands of items take seconds. */
const maxEagerTests = 200;
const maxEagerAssertions = 2_000;
/** The most items of tests and assertions that are created before they are needed, in all files. */
const maxEagerItems = 10_000;
const readDelayMs = 300;
const maxLabelLength = 120;
const maxPathLength = 4_096;
/** In characters. VS Code repeats the address in each item of a file, and in the ids of those around it. */
const maxUriLength = 2_000;

interface TestWithItem {
  item: vscode.TestItem;
  test: AgentTest;
}

interface LoadedFile {
  item: vscode.TestItem;
  file: TestFile;
  /** Empty for a file that was not read. */
  text: string;
  toRange: (range: TextRange) => vscode.Range;
}

export class TestFiles implements vscode.Disposable {
  readonly #controller: vscode.TestController;
  readonly #log: Log;
  readonly #findProblem: (agent: TestedAgent) => Promise<string | undefined>;
  /** Diagnostics of open files. */
  readonly problems = new TestProblems();
  readonly #files = new Map<string, LoadedFile>();
  readonly #tests = new WeakMap<vscode.TestItem, AgentTest>();
  /** Many tests can share an assertion, whose value may be as long as a file. */
  readonly #labels = new WeakMap<Assertion, string>();
  /** Files found by the last search, including files that are not agent tests. */
  #found: ReadonlySet<string> = new Set();
  readonly #waiting = new Map<string, vscode.Uri>();
  #reading: Promise<void> | undefined;
  /** The file that is being read; undefined if it is removed meanwhile. */
  #loading: string | undefined;
  readonly #disposed = new AbortController();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #subscriptions: vscode.Disposable[];

  /** `findProblem` returns what is wrong with an agent on its server, if that is known. */
  constructor(
    controller: vscode.TestController,
    log: Log,
    findProblem: (agent: TestedAgent) => Promise<string | undefined>,
  ) {
    this.#controller = controller;
    this.#findProblem = findProblem;
    this.#log = log;
    const watcher = vscode.workspace.createFileSystemWatcher(testFileGlob);
    const opened = ({ uri }: vscode.TextDocument): void => this.#schedule(uri);
    this.#subscriptions = [
      this.problems,
      watcher,
      // 1.139 reports each change two or three times.
      watcher.onDidCreate((uri) => this.#schedule(uri)),
      watcher.onDidChange((uri) => this.#schedule(uri)),
      watcher.onDidDelete((uri) => this.#remove(uri)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => opened(document)),
      vscode.workspace.onDidOpenTextDocument(opened),
      vscode.workspace.onDidGrantWorkspaceTrust(() => void this.discover()),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.problems.clear(uri)),
    ];
  }

  /** Reads all test files of the workspace, and those that are open. Reads nothing before the workspace is trusted. */
  async discover(): Promise<void> {
    if (!vscode.workspace.isTrusted) return;
    const found = await vscode.workspace.findFiles(testFileGlob, ignoredFolders, maxFiles);
    this.#found = new Set(found.map(String));
    if (found.length === maxFiles) {
      this.#log.info(`Only ${String(maxFiles)} agent test files are read`);
    }
    const open = vscode.workspace.textDocuments.map(({ uri }) => uri);
    const all = new Map([...found, ...open].map((uri) => [uri.toString(), uri]));
    for (const [key, uri] of all) this.#waiting.set(key, uri);
    await this.#readWaiting();
    for (const [key, { item }] of this.#files) {
      if (!all.has(key) && item.uri) this.#remove(item.uri);
    }
  }

  /** Reads files that the last search did not find and that VS Code did not report. */
  async findMissed(): Promise<void> {
    if (!vscode.workspace.isTrusted) return;
    const files = await vscode.workspace.findFiles(testFileGlob, ignoredFolders, maxFiles);
    const missed = files.filter((uri) => !this.#found.has(String(uri)));
    for (const uri of missed) this.#waiting.set(uri.toString(), uri);
    await this.#readWaiting();
  }

  /** The tests that a request asks for, in the order of their files. */
  collect({ include, exclude = [] }: vscode.TestRunRequest): TestWithItem[] {
    const found = new Map<vscode.TestItem, AgentTest>();
    const visit = (item: vscode.TestItem): void => {
      if (exclude.includes(item)) return;
      const test = this.#tests.get(item);
      if (test) found.set(item, test);
      else if (item.parent && this.#tests.has(item.parent)) visit(item.parent);
      else item.children.forEach(visit);
    };
    if (include) include.forEach(visit);
    else this.#controller.items.forEach(visit);
    return [...found].map(([item, test]) => ({ item, test }));
  }

  /** Files without tests that were to be run: what is wrong with them is their result. */
  reportBrokenFiles({ include }: vscode.TestRunRequest, run: vscode.TestRun): void {
    const asked = include && new Set(include);
    for (const { item, file, toRange } of this.#files.values()) {
      const isAsked = !asked || asked.has(item);
      const [problem] = file.problems;
      if (!isAsked || item.children.size > 0 || !problem || !item.uri) continue;
      const location = new vscode.Location(item.uri, toRange(problem.range));
      run.errored(item, createTestMessage(problem.message, location, false));
    }
  }

  /** Returns the items of a test's assertions in order. Creates them if need be, unless they are not needed. */
  resolveAssertions(item: vscode.TestItem, { isNeeded = true } = {}): vscode.TestItem[] {
    const test = this.#tests.get(item);
    const loaded = item.uri && this.#files.get(item.uri.toString());
    if (!test || !loaded) return [];
    if (item.children.size === 0 && isNeeded) {
      item.children.replace(
        test.assertions.map((assertion, index) => {
          const label = this.#labels.get(assertion) ?? toLabel(describeAssertion(assertion));
          this.#labels.set(assertion, label);
          // Numbers with leading zeros: the order is that of the ids.
          const id = `${item.id}/${String(index).padStart(4, "0")}`;
          const child = this.#controller.createTestItem(id, label, item.uri);
          child.range = loaded.toRange(assertion.range);
          child.sortText = String(index).padStart(4, "0");
          return child;
        }),
      );
      item.canResolveChildren = false;
    }
    return [...item.children].map(([, child]) => child);
  }

  /** The tests that begin on a line of a file. */
  findAt(uri: vscode.Uri, line: number): vscode.TestItem[] {
    const { children = [] } = this.#files.get(uri.toString())?.item ?? {};
    return [...children].flatMap(([, test]) => (test.range?.start.line === line ? [test] : []));
  }

  /** Returns why a file has no tests, if it has none. */
  explain(uri: vscode.Uri): string | undefined {
    const error = this.#files.get(uri.toString())?.item.error;
    return typeof error === "object" ? error.value : error;
  }

  /** Shows beside a file what it tests, and a result. */
  describe(item: vscode.TestItem, result?: string): void {
    const [test] = (item.uri && this.#files.get(item.uri.toString())?.file.tests) ?? [];
    const parts = [
      ...(test ? [`${test.agent.project}/${test.agent.name}`] : []),
      ...(result === undefined ? [] : [result]),
    ];
    const description = parts.length > 0 ? toLabel(parts.join(" · ")) : undefined;
    item.description = description;
  }

  locate({ uri, range }: vscode.TestItem): vscode.Location | undefined {
    return uri && range ? new vscode.Location(uri, range) : undefined;
  }

  dispose(): void {
    this.#disposed.abort();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #schedule(uri: vscode.Uri): void {
    if (!isTestFile(uri.path)) return;
    const key = uri.toString();
    clearTimeout(this.#timers.get(key));
    const load = (): void => {
      this.#timers.delete(key);
      this.#waiting.set(key, uri);
      void this.#readWaiting();
    };
    this.#timers.set(key, setTimeout(load, readDelayMs));
  }

  #readWaiting(): Promise<void> {
    this.#reading ??= this.#readEach();
    return this.#reading;
  }

  /** Reads one file after the other, also those that come to wait meanwhile. */
  async #readEach(): Promise<void> {
    const limits = new DiscoveryLimits();
    try {
      await setImmediate();
      for (const [key, uri] of this.#waiting) {
        this.#waiting.delete(key);
        await this.#load(uri, limits);
        await setImmediate();
      }
    } finally {
      this.#reading = undefined;
    }
  }

  async #load(uri: vscode.Uri, limits: DiscoveryLimits): Promise<void> {
    if (
      !vscode.workspace.isTrusted ||
      !isTestFile(uri.path) ||
      !["file", "untitled", "vscode-remote", "vscode-vfs"].includes(uri.scheme)
    ) {
      return;
    }
    const key = uri.toString();
    this.#loading = key;
    const others = [...this.#files].flatMap(([other, { file, text: held }]) =>
      other === key
        ? []
        : [{ textLength: held.length, length: file.length, tests: file.tests.length }],
    );
    const isOpen = findOpenDocument(uri) !== undefined;
    if (!isOpen && others.length >= maxFiles) return;
    if (key.length > maxUriLength) {
      const message = vscode.l10n.t("Not read: the path of this file is too long.");
      if (isAgentTestFile(uri.path)) this.#show(uri, "", createUnreadFile(message));
      return;
    }
    const text = await readText(uri).catch((error: unknown) => {
      // A link out of the workspace, for example.
      if (isAgentTestFile(uri.path) && isAppError(error, "refused")) {
        this.#show(uri, "", createUnreadFile(error.message));
      }
      return undefined;
    });
    if (text === undefined) return;
    const loaded = this.#files.get(key);
    // VS Code reports changes late and several times, and files without one.
    if (loaded && text !== "" && loaded.text === text) {
      this.#showProblems(uri, loaded);
      return;
    }
    // Open files are read whatever their size.
    if (!isOpen && !limits.hasRoom(text.length, others)) {
      if (isAgentTestFile(uri.path)) this.#show(uri, "", createUnreadFile(explainSize()));
      else this.#remove(uri);
      return;
    }
    const startedAt = performance.now();
    const { signal } = this.#disposed;
    const file = await parseTestFile("readTestFile", [text], signal).catch((error: unknown) => {
      if (isAppError(error, "tooLarge")) return createUnreadFile(error.message);
      if (!signal.aborted) this.#log.error(`${uri.path} could not be read`, error);
      return createUnreadFile(vscode.l10n.t("An unexpected error occurred."));
    });
    limits.count(text.length, performance.now() - startedAt);
    if (this.#loading !== key || signal.aborted) return;
    if (!file.isOurs && !isAgentTestFile(uri.path)) {
      this.#remove(uri);
      return;
    }
    this.#show(uri, text, file);
  }

  #show(uri: vscode.Uri, text: string, file: TestFile): void {
    const key = uri.toString();
    const item =
      this.#files.get(key)?.item ??
      this.#controller.createTestItem(
        key,
        toLabel(vscode.workspace.asRelativePath(uri), maxPathLength),
        uri,
      );
    const toRange = createRangeReader(text);
    const loaded = { item, file, text, toRange };
    this.#files.set(key, loaded);
    this.describe(item);
    const assertions = file.tests.reduce((sum, test) => sum + test.assertions.length, 0);
    const isEager =
      file.tests.length <= maxEagerTests &&
      assertions <= maxEagerAssertions &&
      this.#countItems() + assertions <= maxEagerItems;
    const children = file.tests.map((test, index) => {
      const child = this.#controller.createTestItem(`${key}#${test.id}`, toLabel(test.name), uri);
      child.range = toRange(test.range);
      child.sortText = String(index).padStart(6, "0");
      child.canResolveChildren = test.assertions.length > 0;
      this.#tests.set(child, test);
      if (isEager) this.resolveAssertions(child);
      return child;
    });
    item.children.replace(children);
    item.error = children.length === 0 ? file.problems[0]?.message : undefined;
    this.#controller.items.add(item);
    this.#showProblems(uri, loaded);
  }

  #showProblems(uri: vscode.Uri, { file, toRange }: LoadedFile): void {
    this.problems.show(uri, file.problems, toRange);
    if (findOpenDocument(uri)) void this.#checkAgents(uri, file, toRange);
  }

  /** Tests and assertions of all files. */
  #countItems(): number {
    let count = 0;
    for (const { file } of this.#files.values()) {
      for (const { assertions } of file.tests) count += 1 + assertions.length;
    }
    return count;
  }

  /** Adds what the servers say about the agents, if the file is still the same then. */
  async #checkAgents(
    uri: vscode.Uri,
    file: TestFile,
    toRange: LoadedFile["toRange"],
  ): Promise<void> {
    const agents = new Map(file.tests.map(({ agent }) => [agent.range.start, agent]));
    const found = await Promise.all(
      [...agents.values()].map(async (agent) => {
        const message = await this.#findProblem(agent);
        return message === undefined ? [] : [{ message, range: agent.range }];
      }),
    );
    if (this.#files.get(uri.toString())?.file !== file || found.flat().length === 0) return;
    this.problems.show(uri, [...found.flat(), ...file.problems], toRange);
  }

  #remove(uri: vscode.Uri): void {
    if (this.#loading === uri.toString()) this.#loading = undefined;
    this.#files.delete(uri.toString());
    this.#controller.items.delete(uri.toString());
    this.problems.clear(uri);
  }
}

function explainSize(): string {
  return vscode.l10n.t(
    "Not read: the test files of this workspace are too large in total. Open the file to read it.",
  );
}

function createUnreadFile(message: string): TestFile {
  const problems = [{ message, range: { start: 0, end: 1 } }];
  return { isOurs: false, tests: [], problems, length: 0 };
}

/** The text in one line as it is: VS Code draws no icon for it, and a terminal obeys nothing in it. */
function toLabel(text: string, maxLength = maxLabelLength): string {
  return plainLabel(text, maxLength);
}

/** The text of a file, as its editor has it. Throws AppError if it cannot be read or is no file. */
async function readText(uri: vscode.Uri): Promise<string> {
  const open = findOpenDocument(uri);
  if (open) return open.getText();
  // As UTF-8, a character has up to four bytes. The reader of test files refuses every text of this length.
  const bytes = await readSmallFile(uri, 4 * maxFileLength);
  return bytes ? new TextDecoder().decode(bytes) : " ".repeat(maxFileLength + 1);
}

/** Returns a function from offsets of a text to a range of its lines. */
function createRangeReader(text: string): (range: TextRange) => vscode.Range {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  const toPosition = (offset: number): vscode.Position => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return new vscode.Position(low, offset - starts[low]!);
  };
  /** Thousands of tests and assertions can end at the same place, after many blank lines. */
  const lastOffsets = new Map<number, number>();
  return ({ start, end }) => {
    // A block's end is the start of the line below it.
    const last = lastOffsets.get(end) ?? text.slice(0, end).trimEnd().length;
    lastOffsets.set(end, last);
    return new vscode.Range(toPosition(start), toPosition(Math.max(start, last)));
  };
}
