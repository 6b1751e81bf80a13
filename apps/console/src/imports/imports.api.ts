import { importTenants } from '@switchboard/contract/tenants/tenant-import'
import { importUsers } from '@switchboard/contract/users/user-import'
import { call } from '#src/lib/call.ts'
import type { ImportedNoun } from './imported-nouns.ts'
import type { SendRows } from './run-import.ts'

/** The call that imports rows of a noun. */
export function sendRows({ list }: ImportedNoun): SendRows {
  return list === '/tenants' ? (body) => call(importTenants, { body }) : (body) => call(importUsers, { body })
}
