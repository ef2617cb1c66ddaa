// As much of VS Code's API as the chat's texts need, for tests that run outside of it.
export const l10n = {
  t: (message: string, ...values: unknown[]): string =>
    message.replace(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)])),
};
