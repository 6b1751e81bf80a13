import { expect, test } from 'vitest'
import { invitationBadge } from './invitation-labels.ts'

const NOW = Date.parse('2026-11-20T12:00:00.000Z')
const LATER = '2026-11-23T12:00:00.000Z'
const PAST = '2026-11-20T12:00:00.000Z'

test.for([
  [LATER, 'queued', null, 'Sending mail'],
  [LATER, 'queued', 'The mail server cannot be reached.', 'Mail delayed'],
  [LATER, 'sent', null, 'Mail sent'],
  [LATER, 'failed', 'The mail server refused the address.', 'Mail failed'],
  [PAST, 'failed', 'The mail server refused the address.', 'Mail failed'],
  [PAST, 'sent', null, 'Expired'],
  [LATER, null, null, 'Link copied'],
  [PAST, null, null, 'Expired'],
] as const)(
  'an invitation until %s with the mail %s and the problem %s is labeled %s',
  ([expires_at, mail_state, mail_problem, text]) => {
    expect(invitationBadge({ expires_at, mail_state, mail_problem }, NOW).text).toBe(text)
  },
)
