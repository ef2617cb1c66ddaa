/** An assertion that cannot be judged. It makes the test an error, whatever the other assertions say. */
export class AssertionError extends Error {}
