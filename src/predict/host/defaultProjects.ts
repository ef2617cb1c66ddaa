import * as vscode from "vscode";

/** The project named in the last USE, by notebook and connection, until the window closes. */
const names = new Map<string, Map<string, string | undefined>>();

const changed = new vscode.EventEmitter<void>();
/** Fires when a USE names another one. */
export const onDidChangeDefaultProject = changed.event;

interface DefaultProject {
  name: string | undefined;
}

/** The project or data source that a notebook's SQL cells use for names without one. */
export function defaultProjectOf(notebook: vscode.Uri, connectionId: string): DefaultProject {
  const key = notebook.toString();
  return {
    get name() {
      return names.get(key)?.get(connectionId);
    },
    set name(name) {
      names.set(key, new Map(names.get(key)).set(connectionId, name));
      changed.fire();
    },
  };
}

/** Forgets the projects of an untitled notebook that was closed: the next one may have the same name. */
export function forgetDefaultProjects({ uri, isUntitled }: vscode.NotebookDocument): void {
  if (isUntitled) names.delete(uri.toString());
}
