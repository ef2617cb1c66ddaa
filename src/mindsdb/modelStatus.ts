// Which states of a model's version mean that it is still in training. Apart from models.ts, so that the tree's rows need
// nothing else.

const busyStatuses = ["generating", "training", "finetuning", "validation"];

/** True while a version's training goes on; then the server may say more soon. */
export function isTraining({ status }: { status: string }): boolean {
  return busyStatuses.includes(status);
}

/** The newest version that is in training while requests still reach an older one; undefined if there is none. */
export function newerInTraining<Version extends { version: number; status: string }>({
  current,
  versions,
}: {
  current: Version;
  versions: readonly Version[];
}): Version | undefined {
  return versions.find((one) => one.version > current.version && isTraining(one));
}
