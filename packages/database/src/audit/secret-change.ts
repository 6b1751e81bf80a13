/** A changed secret in the audit log, such as a password: the log says that it changed, and neither value. */
export const SECRET_CHANGE = { before: '•••', after: '•••' }
