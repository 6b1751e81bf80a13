import { requiredText } from './text.ts'

/** Longest id of a record in another system. */
export const EXTERNAL_ID_MAX = 255
/** The id of a record in another system, such as a billing system. */
export const externalId = requiredText(EXTERNAL_ID_MAX, 'An external ID has at least one character.')
