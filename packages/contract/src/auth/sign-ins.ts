import * as z from 'zod/mini'
import { auditOutcome } from '#src/activity/audit-outcome.ts'
import { mailState } from '#src/mail.ts'
import { endpoint } from '#src/wire/endpoint.ts'
import { secondFactorMethod } from './second-factor-method.ts'
import { moment } from '#src/wire/text.ts'

/** How a person signed in. */
export const signInMethod = z.enum(['password', ...secondFactorMethod.options, 'single_sign_on'])
export type SignInMethod = z.infer<typeof signInMethod>

/** Number of listed sign-ins. */
export const SIGN_INS_LISTED = 20
/** Number of notices shown at once. */
export const NEW_SIGN_INS_SHOWN = 3
/** A network or browser without a sign-in for this long is new again. */
export const KNOWN_DEVICE_DAYS = 90

/** A sign-in to the caller's account, successful or refused. */
export const ownSignIn = z.object({
  /** Position in the audit log. */
  seq: z.int(),
  /** When it happened. */
  at: moment,
  outcome: auditOutcome,
  /** Reason of a refusal as a sentence. Null for a sign-in. */
  reason: z.nullable(z.string()),
  /** Network address of the sign-in. Null if unknown. */
  address: z.nullable(z.string()),
  /** Browser and system: "Firefox on Linux". Null for a refusal by the throttle. */
  device: z.nullable(z.string()),
  /** How the person signed in. Null if unknown. */
  method: z.nullable(signInMethod),
})
export type OwnSignIn = z.infer<typeof ownSignIn>

/** A sign-in from a network or a browser that the account had not used before. */
export const newSignIn = z.object({
  /** Id of the notice. */
  id: z.uuid(),
  /** When it happened. */
  at: moment,
  /** Network address of the sign-in. */
  address: z.string(),
  /** Browser and system: "Firefox on Linux". */
  device: z.string(),
  /** State of the mail about the sign-in. Null on a server that sent no mail at that time. */
  mail_state: z.nullable(mailState),
  /** Reason of the last failed attempt to send the mail. */
  mail_problem: z.nullable(z.string()),
})
export type NewSignIn = z.infer<typeof newSignIn>

const url = '/api/v1/admin/auth/sign-ins'
const tags = ['Own account']

/** The last `SIGN_INS_LISTED` sign-ins to the caller's account, newest first. A refused one is found by its email address. */
export const listSignIns = endpoint('GET', url, {
  config: { capability: 'own_account' },
  operationId: 'sign_ins.list',
  summary: 'List your recent sign-ins',
  tags,
  response: { 200: z.array(ownSignIn) },
})

/**
 * The newest sign-ins from a new network or browser that nobody has dismissed, at most `NEW_SIGN_INS_SHOWN`. A session
 * does not see its own sign-in, so that an intruder cannot dismiss the notice.
 */
export const listNewSignIns = endpoint('GET', `${url}/new`, {
  config: { capability: 'own_account' },
  operationId: 'sign_ins.list_new',
  summary: 'List sign-ins from new networks or browsers',
  tags,
  response: { 200: z.array(newSignIn) },
})

/** Dismisses the notice of a new sign-in. 404 for the notice of another account or of the session's own sign-in. */
export const dismissNewSignIn = endpoint('DELETE', `${url}/new/:id`, {
  config: { capability: 'own_account' },
  operationId: 'sign_ins.dismiss',
  summary: 'Dismiss the notice of a new sign-in',
  tags,
  params: z.strictObject({
    /** Id of the notice. */
    id: z.uuid(),
  }),
  response: { 204: z.null() },
})
