import {
  type PortalSignIn,
  portalSignIn,
  portalSignInList,
  type PortalSignInListQuery,
} from '@switchboard/contract/users/portal-sign-ins'
import type { Database } from '@switchboard/database/tables'
import type { Kysely } from 'kysely'
import * as z from 'zod/mini'
import { type Page, readPage } from '#src/lists/page.queries.ts'
import { whenSet } from '#src/lists/when-set.ts'

const COLUMNS = z.keyof(portalSignIn).options

export async function pageOfPortalSignIns(
  db: Kysely<Database>,
  query: PortalSignInListQuery,
): Promise<Page<PortalSignIn>> {
  const rows = db
    .selectFrom('portal_sign_ins')
    .select(COLUMNS)
    .$call(whenSet(query.tenant_id, (found, value) => found.where('tenant_id', '=', value)))
    .$call(whenSet(query.user_id, (found, value) => found.where('user_id', '=', value)))
  return await readPage(db, rows, { ...query, sort: query.sort ?? portalSignInList.defaultSort })
}
