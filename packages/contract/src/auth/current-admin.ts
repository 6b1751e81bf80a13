import * as z from 'zod/mini'
import { anyText, moment } from '#src/wire/text.ts'
import { EMAIL_MAX, isEmailAddress } from './email-address.ts'

/** A role of those who run the console. They belong to no tenant. `ROLE_CAPABILITIES` lists their permissions. */
export const consoleRole = z.enum(['super_admin', 'support', 'auditor'])
export type ConsoleRole = z.infer<typeof consoleRole>

/** Every role. All roles other than console roles belong to a tenant. */
export const role = z.enum([...consoleRole.options, 'admin', 'manager', 'user'])
export type Role = z.infer<typeof role>

/** Whether a role belongs to those who run the console. */
export function isConsoleRole(name: Role): name is ConsoleRole {
  return consoleRole.safeParse(name).success
}

/** An email address as stored. `foldEmail` makes it comparable. */
export const email = anyText(EMAIL_MAX).check(z.trim(), z.refine(isEmailAddress, 'Enter a valid email address.'))

/** Shortest new password of a tenant's user, in code points. */
export const PASSWORD_MIN = 8
/** Shortest new password of those who run the console. */
export const CONSOLE_PASSWORD_MIN = 12
/** Maximum length of a password: a limit on hashing time. */
export const PASSWORD_MAX = 256

/** The signed-in person. */
export const currentAdmin = z.object({
  /** Id of the person. */
  id: z.uuid(),
  /** Email address of the person. */
  email: z.string(),
  /** Name of the person, if known. */
  name: z.nullable(z.string()),
  /** Role of the person in the console. */
  role: consoleRole,
  /** Whether the person may sign in. */
  is_active: z.boolean(),
  /** When the account was created. */
  created_at: moment,
  /** Present while a second factor is required and the account has none: only its enrollment is allowed. */
  must_enroll: z.optional(z.literal(true)),
})
export type CurrentAdmin = z.infer<typeof currentAdmin>
