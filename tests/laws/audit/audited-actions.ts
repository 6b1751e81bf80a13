import { COMMAND_LINE_ACTIONS, SYSTEM_ACTIONS } from '@switchboard/contract/activity'
import { ADMIN_API_ENDPOINTS } from '@switchboard/contract/admin-api'
import { AI_API_ENDPOINTS } from '@switchboard/contract/ai-api'
import { reviewList } from '@switchboard/contract/reviews/review-list'
import { ROLE_LOST_ACTION } from '@switchboard/contract/single-sign-on'
import { webhookDeliveryList } from '@switchboard/contract/signals/webhook-deliveries'
import { TOKEN_REFUSED_ACTION } from '@switchboard/contract/tokens'
import { portalSignInList } from '@switchboard/contract/users/portal-sign-ins'

/** The names of the calls that change something. */
export const CHANGES = [...ADMIN_API_ENDPOINTS, ...AI_API_ENDPOINTS]
  .filter(({ method, config }) => method !== 'GET' && config?.reads !== true)
  .map(({ schema }) => schema.operationId)

/** Changes whose names are not in the audit log. */
export const NOT_IN_THE_LOG: Record<string, string> = {
  'auth.challenge': 'The second step of a sign-in is audited as auth.login.',
  'webhooks.execute_task': 'A run is audited as tasks.run.',
  'alerts.read': 'Changes only what its caller sees as unread.',
  'users.verify': 'A sign-in to a portal is in portal_sign_ins: verify-user.test.ts.',
  'keys.verify': 'Changes only the times and the counts of uses, thousands of times a second.',
}

// The whole lists without an export are audited reads: other whole lists are audited as their exports.
const READS = [reviewList, portalSignInList, webhookDeliveryList].map(({ list }) => list.schema.operationId)

/** Every action that an entry of the audit log may have. */
export const AUDITED_ACTIONS = [
  ...CHANGES.filter((action) => !(action in NOT_IN_THE_LOG)),
  ...READS,
  ...COMMAND_LINE_ACTIONS,
  ...SYSTEM_ACTIONS,
  TOKEN_REFUSED_ACTION,
  ROLE_LOST_ACTION,
]
