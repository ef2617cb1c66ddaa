// The statuses of versions in training. Apart from models.ts, so that the tree's rows need
// nothing else.

const busyStatuses = ["generating", "training", "finetuning", "validation"];

/** True while a version is in training. */
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
