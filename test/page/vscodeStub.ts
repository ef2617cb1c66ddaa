// The part of VS Code's API that the pages' texts need, for tests outside VS Code.
export const l10n = {
  /** Placeholders without a value stay, as in VS Code. */
  t: (message: string, ...values: unknown[]): string =>
    message.replace(/\{(\d)\}/g, (place, index: string) =>
      Number(index) in values ? String(values[Number(index)]) : place,
    ),
};
