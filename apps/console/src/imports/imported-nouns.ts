import { FIELDS_CELL_MAX, type TenantImportColumn } from '@switchboard/contract/tenants/tenant-import'
import type { UserImportColumn } from '@switchboard/contract/users/user-import'

/** A column of a noun, which a column of a file may fill. */
export type ImportColumn<Name extends string = string> = {
  name: Name
  label: string
  hint: string
  isRequired?: true
  /** Longest cell, unless `IMPORT_CELL_MAX`. */
  maxLength?: number
  /** Other names of the column in files. */
  aliases?: readonly string[]
}

/** A noun that can be imported. */
export type ImportedNoun = {
  /** Singular: "tenant". */
  noun: string
  title: string
  list: '/tenants' | '/users'
  /** The column that identifies a record. */
  key: string
  columns: readonly ImportColumn[]
  /** The rows are sent in the order of this column, so that a call counts users of few tenants. */
  order?: string
  /** A consequence of the import that its admin must know. */
  note?: string
}

export const IMPORTED_TENANTS: ImportedNoun = {
  noun: 'tenant',
  title: 'Import Tenants',
  list: '/tenants',
  key: 'subdomain',
  columns: [
    { name: 'name', label: 'Tenant Name', hint: 'Any text.', isRequired: true, aliases: ['tenant'] },
    { name: 'subdomain', label: 'Subdomain', hint: 'Identifies the tenant.', isRequired: true },
    { name: 'tenant_type', label: 'Business Type', hint: 'product or service', isRequired: true, aliases: ['type'] },
    { name: 'status', label: 'Status', hint: 'active or inactive; active if empty' },
    { name: 'goal', label: 'Goal', hint: 'Any text.' },
    { name: 'aggressiveness', label: 'Aggressiveness', hint: '0 to 10; 5 if empty' },
    { name: 'tags', label: 'Tags', hint: 'Up to 20, separated by blanks.' },
    { name: 'custom_fields', label: 'Custom fields', hint: 'As JSON: {"plan":"Gold"}', maxLength: FIELDS_CELL_MAX },
    { name: 'external_id', label: 'External ID', hint: 'Its ID in another system, used by no other tenant.' },
    { name: 'suspension_reason', label: 'Suspension reason', hint: 'Any text, for an inactive tenant.' },
    { name: 'suspended_until', label: 'Suspended until', hint: 'A future time in UTC: 2030-11-30T12:00:00Z' },
  ] satisfies ImportColumn<TenantImportColumn>[],
}

export const IMPORTED_USERS: ImportedNoun = {
  noun: 'user',
  title: 'Import Users',
  list: '/users',
  key: 'email',
  order: 'tenant_id',
  columns: [
    { name: 'email', label: 'Email', hint: 'Identifies the user.', isRequired: true, aliases: ['email address'] },
    { name: 'name', label: 'Name', hint: 'Of the person; may be empty.', aliases: ['full name', 'display name'] },
    { name: 'external_id', label: 'External ID', hint: 'Their ID in another system, used by no other user.' },
    { name: 'role', label: 'Role', hint: 'admin, manager or user', isRequired: true },
    {
      name: 'tenant_id',
      label: 'Tenant',
      hint: 'The ID or the subdomain of the tenant.',
      isRequired: true,
      aliases: ['subdomain', 'tenant subdomain'],
    },
    { name: 'is_active', label: 'Status', hint: 'true or false; true if empty', aliases: ['active'] },
  ] satisfies ImportColumn<UserImportColumn>[],
  note: 'Imported users have no password. They can sign in after an admin has sent them an invitation or set a password.',
}
