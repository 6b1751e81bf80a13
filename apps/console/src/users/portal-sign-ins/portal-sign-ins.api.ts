import { portalSignInList } from '@switchboard/contract/users/portal-sign-ins'
import { listApi } from '#src/lists/list-api.ts'

/** A page of sign-ins to the portal of a tenant, or of a user. */
export const portalSignInsQuery = listApi(portalSignInList, ['portal sign-ins']).query

/** Rows of a page in the card of a tenant. */
export const PORTAL_SIGN_INS_SHOWN = 5
