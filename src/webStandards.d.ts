// APIs of both Node and browsers, for code that may depend on neither. Only src/tsconfig.neutral.json reads this.

interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}
interface AbortController {
  readonly signal: AbortSignal;
  abort(): void;
}
declare const AbortController: new () => AbortController;
interface TextDecoder {
  decode(bytes?: Uint8Array, options?: { stream?: boolean }): string;
}
declare const TextDecoder: new (
  label?: string,
  options?: { fatal?: boolean; ignoreBOM?: boolean },
) => TextDecoder;
declare const URL: { canParse(url: string): boolean };
declare function setTimeout(callback: () => void, ms?: number): unknown;
declare function clearTimeout(timer: unknown): void;
