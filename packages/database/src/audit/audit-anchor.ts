/** A row of the chain and its hash in hexadecimal digits. An anchor noted elsewhere reveals rows cut off the end. */
export type AuditAnchor = { seq: number; hash: string }

/** The anchor before the first row. */
export const CHAIN_START: AuditAnchor = { seq: 0, hash: '0'.repeat(64) }
