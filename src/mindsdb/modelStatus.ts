// The statuses of versions in training, and what engines can do. Apart from models.ts, so that the tree's rows need
// nothing else.

const busyStatuses = ["generating", "training", "finetuning", "validation"];

export function isTraining({ status }: { status: string }): boolean {
  return busyStatuses.includes(status);
}

/** The version in training that is newer than the active one, if any. */
export function newerInTraining<Version extends { version: number; status: string }>({
  current,
  versions,
}: {
  current: Version;
  versions: readonly Version[];
}): Version | undefined {
  return versions.find((one) => one.version > current.version && isTraining(one));
}

/**
 * Kinds of engines that can train an existing version further. In 26.1.0 and 25.14.1; others fail after they have
 * begun.
 */
const tunableHandlers = ["lightwood", "openai", "groq", "huggingface", "togetherai", "byom"];

export function canFinetune(handler: string): boolean {
  return tunableHandlers.includes(handler.toLowerCase());
}
