// Which test files may ask which agents without a question: a file may come from somebody else, and each question costs.
import type { Connection } from "../../shared/connection.ts";
import type { TestTarget } from "./testTarget.ts";

/** A test's question to an agent or a knowledge base, and the test's file. */
export interface PlannedQuestion extends Pick<TestTarget, "kind" | "project" | "name"> {
  /** The URI of the file. */
  file: string;
  connection: Pick<Connection, "id" | "name" | "address">;
  /** How often. */
  repeat: number;
}

/** Facts for the confirmation before a run. */
export interface QuestionPrompt {
  questions: number;
  /** The agents and knowledge bases with their connections, without repetitions. */
  targets: string[];
}

/** From so many questions on the user is asked before each run. */
const maxUnaskedQuestions = 100;
/** The oldest answers are forgotten. */
const maxRemembered = 1_000;

interface Store {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const stateKey = "agentTests.agreed";

export class QuestionConsent {
  readonly #store: Store;
  readonly #ask: (prompt: QuestionPrompt) => Promise<boolean>;

  /** The store is the workspace's. */
  constructor(store: Store, ask: (prompt: QuestionPrompt) => Promise<boolean>) {
    this.#store = store;
    this.#ask = ask;
  }

  /** Whether the questions may be asked; one question to the user, if any. */
  async allows(planned: readonly PlannedQuestion[]): Promise<boolean> {
    const agreed = new Set(this.#read());
    const questions = planned.reduce((sum, { repeat }) => sum + repeat, 0);
    const isKnown = planned.every((one) => agreed.has(keyOf(one)));
    if (isKnown && questions <= maxUnaskedQuestions) return true;
    const targets = planned.map(
      ({ project, name, connection }) =>
        `${project}/${name} · ${connection.name} (${connection.address})`,
    );
    if (!(await this.#ask({ questions, targets: [...new Set(targets)] }))) return false;
    await this.agree(planned);
    return true;
  }

  /** Remembers for these files that they may ask these agents. */
  async agree(planned: readonly PlannedQuestion[]): Promise<void> {
    const all = new Set([...this.#read(), ...planned.map(keyOf)]);
    await this.#store.update(stateKey, [...all].slice(-maxRemembered));
  }

  #read(): string[] {
    const stored = this.#store.get(stateKey);
    return Array.isArray(stored) ? stored.filter((key) => typeof key === "string") : [];
  }
}

/** The connection by its address, too: under the same name there may be another server later. */
function keyOf({ file, connection, kind, project, name }: PlannedQuestion): string {
  return JSON.stringify([file, connection.id, connection.address, kind, project, name]);
}
