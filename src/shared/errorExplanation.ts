/** A command that helps, with the title of its button. */
export interface ErrorAction {
  title: string;
  command: string;
  arguments: unknown[];
}

/** A failure as shown to the user. */
export interface ErrorExplanation {
  /** One plain sentence without secrets. */
  message: string;
  /** Absent if trying again helps: every view has its own way to do that. */
  action?: ErrorAction;
}
