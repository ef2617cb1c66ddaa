/** Where the workspace state has the trainings that a window waits for. */
export const watchedTrainingsKey = "watchedTrainings";

/** The scheme of the documents that versions of models are compared as. */
export const versionScheme = "mindsdb-workbench-model";
