// The content of a test file, read and expanded. Everything keeps its place in the text.
import type { ExpectedDocuments } from "../checks/searchMetrics.ts";
import type { TestTarget } from "../runs/testTarget.ts";
import type { TextRange, YamlScalar } from "./yamlTree.ts";

/** In characters, of a test's name. */
export const maxNameLength = 120;

/** Something in a file that keeps a test from running. */
export interface FileProblem {
  /** One or two sentences. */
  message: string;
  range: TextRange;
  /** The probably intended text of the range. */
  suggestion?: string;
}

/** The agent or knowledge base that a file's tests are asked of. */
export interface TestedAgent extends TestTarget {
  /** Of a search: how many chunks it asks for. */
  limit?: number;
  /** The name of a connection, where the file names one. */
  connection?: string;
  range: TextRange;
}

/** An assertion as written, with `{{variables}}` still in its value. */
export interface Assertion {
  /** Without `not-`. */
  type: string;
  isInverse: boolean;
  value: unknown;
  threshold?: number;
  /** 1 if absent. */
  weight?: number;
  metric?: string;
  /** Documents that a search should find, of `javascript`. */
  retrieval?: ExpectedDocuments;
  /** The members of an `assert-set`. */
  members?: Assertion[];
  range: TextRange;
}

/** One question with what is expected of its answer. Matrices are expanded: each combination is a test. */
export interface AgentTest {
  /** Unique in the file, and stable while tests are added at the end. */
  id: string;
  /** Unique in the file. */
  name: string;
  agent: TestedAgent;
  /** Empty if there is none. */
  question: string;
  /** Those that the question and the assertions need, with variables in variables resolved. */
  vars: Record<string, YamlScalar>;
  /** Those of `defaultTest` first. */
  assertions: Assertion[];
  threshold?: number;
  /** How often the question is asked; at least 1. */
  repeat: number;
  /** Why the test is not run, if anything. */
  problems: FileProblem[];
  range: TextRange;
}

export interface TestFile {
  /** Whether it has a provider `mindsdb:…`. Other promptfoo configurations are left alone. */
  isOurs: boolean;
  tests: AgentTest[];
  /** All problems, those of tests included, for the editor. */
  problems: FileProblem[];
  /** Characters of the file, and of what its templates become. */
  length: number;
}
