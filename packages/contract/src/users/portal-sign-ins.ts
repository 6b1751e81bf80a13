import * as z from 'zod/mini'
import { auditOutcome } from '#src/activity/audit-outcome.ts'
import { describeList } from '#src/wire/list-endpoints.ts'
import { moment } from '#src/wire/text.ts'

/** Sign-ins are deleted after this number of days. */
export const PORTAL_SIGN_INS_KEPT_DAYS = 90

/** A sign-in to the portal of a tenant, successful or refused. */
export const portalSignIn = z.object({
  /** Id of the sign-in. */
  id: z.int(),
  /** Id of the tenant. */
  tenant_id: z.uuid(),
  /** Id of the user. Null when the typed address is not that of an active user of the tenant. */
  user_id: z.nullable(z.uuid()),
  /** Address of the user at that time; for a refused sign-in, as typed. Null for a text that is not an address. */
  email: z.nullable(z.string()),
  /** When it happened. */
  at: moment,
  outcome: auditOutcome,
  /** Reason of a refusal as a sentence. Null for a sign-in. */
  reason: z.nullable(z.string()),
  /** Network address of the person, as the portal reported it. */
  address: z.nullable(z.string()),
  /** Id of the request to ai-api, as in its log. */
  request_id: z.nullable(z.string()),
})

const noun = {
  name: 'portal_sign_ins',
  plural: 'sign-ins to portals',
  url: '/api/v1/admin/portal-sign-ins',
  tag: 'Users',
} as const

/** The sign-ins to the portals of all tenants, of one tenant or of one user. */
export const portalSignInList = describeList(noun, {
  description:
    'Sign-ins to the portals of tenants, successful and refused, newest first. A refused change of a password at a portal counts ' +
    'as a refused sign-in. Deleted after 90 days.',
  row: portalSignIn,
  sorts: ['at', '-at'],
  defaultSort: '-at',
  filters: {
    /** Only sign-ins to the portal of this tenant. */
    tenant_id: z.optional(z.uuid()),
    /** Only sign-ins of this user. */
    user_id: z.optional(z.uuid()),
  },
})
export type PortalSignInListQuery = z.infer<typeof portalSignInList.list.schema.querystring>
