import { portalSignIn, type PortalSignInListQuery } from '@switchboard/contract/users/portal-sign-ins'
import type { FiltersOf } from '@switchboard/contract/wire/list-endpoints'
import type { Database } from '@switchboard/database/tables'
import type { Kysely } from 'kysely'
import * as z from 'zod/mini'
import { whenSet } from '#src/lists/filters.queries.ts'

const COLUMNS = z.keyof(portalSignIn).options

/** The list of sign-ins to portals. */
export const listedPortalSignIns = {
  matching: (db: Kysely<Database>, { tenant_id, user_id }: FiltersOf<PortalSignInListQuery>) =>
    db
      .selectFrom('portal_sign_ins')
      .select(COLUMNS)
      .$call(whenSet(tenant_id, (found, value) => found.where('tenant_id', '=', value)))
      .$call(whenSet(user_id, (found, value) => found.where('user_id', '=', value))),
}
