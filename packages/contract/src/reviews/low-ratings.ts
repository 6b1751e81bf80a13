/** A rating of at most this many stars is low. */
export const LOW_RATING_MAX = 2
/** Days from the first pull of a low rating for which it needs attention. */
export const LOW_RATING_DAYS = 7
/**
 * Days before the first pull. A review published earlier is not new: the first run of a task also returns the reviews of
 * past years. Longer than the time between the runs of a monthly task.
 */
export const NEW_REVIEW_AGE_MAX_DAYS = 31
