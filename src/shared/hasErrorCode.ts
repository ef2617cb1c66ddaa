/** Whether an error has this `code`, as errors of Node's file system have: "ENOENT". */
export function hasErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
