import { WORKER_ACTOR } from '@switchboard/contract/activity'

/** Actor of the entries of the audit log about what happens without a person. */
export const WORKER = { id: null, email: WORKER_ACTOR, address: null, request_id: null }
