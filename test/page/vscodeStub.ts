// As much of VS Code's API as the texts of pages need, for tests that run outside of it.
export const l10n = {
  /** What has no value keeps its place, as in VS Code. */
  t: (message: string, ...values: unknown[]): string =>
    message.replace(/\{(\d)\}/g, (place, index: string) =>
      Number(index) in values ? String(values[Number(index)]) : place,
    ),
};
