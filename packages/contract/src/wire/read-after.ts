/**
 * Header of the answer to a change, where lists are read from replicas: a position in the log of the database. A call of a
 * list with this header has all changes up to the position; without it, a list may be half a second behind.
 */
export const READ_AFTER_HEADER = 'read-after'
