/** Where the workspace state has the trainings that a window waits for. */
export const watchedTrainingsKey = "watchedTrainings";
