import * as z from 'zod/mini'
import { email } from '#src/auth/current-admin.ts'
import { PERSON_NAME_MAX } from '#src/auth/person-name.ts'
import { externalId } from '#src/wire/external-id.ts'
import { describeImport, importCell, importWord } from '#src/wire/imports.ts'
import { requiredText } from '#src/wire/text.ts'

/** The cells of an imported user. */
const userCells = z.strictObject({
  /** Email address of the user. It identifies the row. */
  email: importCell(),
  /** Name of the user. */
  name: importCell(),
  /** Id of the user in another system. No other user may have it. */
  external_id: importCell(),
  /** `admin`, `manager` or `user`. */
  role: importCell(),
  /** The id or the subdomain of the tenant. */
  tenant_id: importCell(),
  /** `true` or `false`. Missing: true. */
  is_active: importCell(),
})
/** The columns of an imported file of users, as in the exported file. */
export type UserImportColumn = keyof z.infer<typeof userCells>

/** An imported user. The email address is the key, without regard to case. */
export const importedUser = z.strictObject({
  email,
  name: z.optional(requiredText(PERSON_NAME_MAX, 'Enter a name.')),
  external_id: z.optional(externalId),
  role: importWord(['super_admin', 'support', 'auditor', 'admin', 'manager', 'user'], 'Use admin, manager or user.'),
  tenant_id: z.optional(z.string().check(z.trim(), z.toLowerCase())),
  is_active: z.optional(
    z.pipe(
      importWord(['true', 'false', 'active', 'inactive'], 'Use true or false.'),
      z.transform((word) => word === 'true' || word === 'active'),
    ),
  ),
})
export type ImportedUser = z.infer<typeof importedUser>

/**
 * Creates the users whose email addresses are free, in one transaction, each with an audit entry. They have no password and
 * cannot sign in before an admin invites them or sets one. Existing users never change, so a row can be sent again. An empty cell counts as
 * missing, and a refused row does not stop the others.
 */
export const importUsers = describeImport(
  { name: 'users', plural: 'users', url: '/api/v1/admin/tenant-admins', tag: 'Users' },
  userCells,
)
