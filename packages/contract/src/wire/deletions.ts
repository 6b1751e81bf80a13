/** Minutes for which the deletion of a user, an API key or a task can be undone. The console offers Undo for ten seconds. */
export const DELETION_KEPT_MINUTES = 10
