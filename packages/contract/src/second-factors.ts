import * as z from 'zod/mini'
import { totpCode } from '#src/auth/challenge.ts'
import { newPasskey, passkeyCreation } from '#src/second-factors/passkeys.ts'
import { endpoint } from '#src/wire/endpoint.ts'
import { moment, requiredText } from '#src/wire/text.ts'

/** Maximum number of second factors of an account. */
export const SECOND_FACTORS_MAX = 8
const SECOND_FACTOR_NAME_MAX = 60
/** Number of recovery codes that are made at once, and random bytes of each. */
export const RECOVERY_CODES = 10
export const RECOVERY_CODE_BYTES = 15

/** The answer to every other call of an account without a second factor, while one is required. */
export const SECOND_FACTOR_REQUIRED = 'Add a second factor to your account first.'
/** The answer to every call of a service token whose maker has no second factor. */
export const MAKER_WITHOUT_FACTOR =
  'A second factor is required. The person who made this service token must add one first.'

/** A second factor of the signed-in person. A user-verifying passkey signs in without a password. */
export const secondFactor = z.object({
  /** Id of the second factor. */
  id: z.uuid(),
  /** Kind of the second factor. */
  kind: z.enum(['totp', 'passkey']),
  /** Name that the person gave it. */
  name: z.string(),
  /** Whether it is a passkey that signs in without a password. */
  is_user_verifying: z.boolean(),
  /** When it was added. */
  created_at: moment,
  /** The last sign-in with it. Null before the first. */
  last_used_at: z.nullable(moment),
})
export type SecondFactor = z.infer<typeof secondFactor>

const secondFactors = z.object({
  /** The second factors, oldest first. */
  second_factors: z.array(secondFactor),
  /** Number of recovery codes that were not used yet. */
  unused_recovery_codes: z.int(),
  /** Whether every account needs a second factor. */
  is_required: z.boolean(),
})
export type SecondFactors = z.infer<typeof secondFactors>

/** A new second factor. The first one of an account comes with recovery codes, which are shown once. */
const addedSecondFactor = z.extend(secondFactor, {
  /** Recovery codes, with the first second factor. Null for another. */
  recovery_codes: z.nullable(z.array(z.string())),
})
export type AddedSecondFactor = z.infer<typeof addedSecondFactor>

/** The secret of an authenticator app as base32, and as `otpauth:` address for a QR code. Shown once. */
const totpEnrollment = z.object({
  /** Id of the enrollment. */
  id: z.uuid(),
  /** The secret in base32. */
  secret: z.string(),
  /** The secret as `otpauth:` address, for a QR code. */
  uri: z.string(),
})
export type TotpEnrollment = z.infer<typeof totpEnrollment>

const passkeyEnrollment = z.object({
  /** Id of the enrollment. */
  id: z.uuid(),
  /** Request for the browser. */
  passkey: passkeyCreation,
})
export type PasskeyEnrollment = z.infer<typeof passkeyEnrollment>

const name = requiredText(SECOND_FACTOR_NAME_MAX, 'Enter a name.')

/**
 * The code that the app shows for the secret of the enrollment.
 * @example {"id":"7d3f4c1a-0b52-4a1e-9c38-5e6f7a8b9c0d","name":"Phone","code":"123456"}
 */
export const newTotpBody = z.strictObject({
  /** Id of the enrollment. */
  id: z.uuid(),
  /** Name of the second factor. */
  name,
  /** The code that the app shows, six digits. */
  code: totpCode,
})
export const newPasskeyBody = z.strictObject({
  /** Id of the enrollment. */
  id: z.uuid(),
  /** Name of the second factor. */
  name,
  /** The answer of the browser. */
  passkey: newPasskey,
})

/** The rules of signing in for all accounts of the console. */
export const securitySettings = z.object({
  /** Whether every account needs a second factor. */
  second_factor_required: z.boolean(),
  /**
   * Live service tokens whose makers have no second factor. Their calls are refused while a second factor is required.
   */
  tokens_without_factor: z.array(
    z.object({
      /** Id of the token. */
      id: z.uuid(),
      /** Name of the token. */
      name: z.string(),
      /** Email address of its maker. */
      created_by_email: z.string(),
    }),
  ),
})
export type SecuritySettings = z.infer<typeof securitySettings>

const url = '/api/v1/admin/auth/second-factors'
const tags = ['Second factors']
const config = { capability: 'own_account', unenrolled: true } as const
const params = z.strictObject({
  /** Id of the second factor. */
  id: z.uuid(),
})

/** Your second factors, oldest first. */
export const listSecondFactors = endpoint('GET', url, {
  config,
  operationId: 'second_factors.list',
  summary: 'List your second factors',
  tags,
  response: { 200: secondFactors },
})

/** The secret of a new authenticator app, for `second_factors.add_totp` within five minutes. */
export const beginTotp = endpoint('POST', `${url}/totp/begin`, {
  config: { ...config, reads: true, limit: 'change', confirmed: true },
  operationId: 'second_factors.begin_totp',
  summary: 'Begin to add an authenticator app',
  tags,
  response: { 200: totpEnrollment },
})

/** Adds the app. The first second factor ends your other sessions. 409 after the enrollment has ended, 422 for a wrong code. */
export const addTotp = endpoint('POST', `${url}/totp`, {
  config,
  operationId: 'second_factors.add_totp',
  summary: 'Add an authenticator app',
  tags,
  body: newTotpBody,
  response: { 201: addedSecondFactor },
})

/** The request for a new passkey, for `second_factors.add_passkey` within five minutes. */
export const beginPasskey = endpoint('POST', `${url}/passkey/begin`, {
  config: { ...config, reads: true, limit: 'change', confirmed: true },
  operationId: 'second_factors.begin_passkey',
  summary: 'Begin to add a passkey',
  tags,
  response: { 200: passkeyEnrollment },
})

/** Adds the passkey. The first second factor ends your other sessions. 409 after the enrollment has ended, 422 for an invalid passkey. */
export const addPasskey = endpoint('POST', `${url}/passkey`, {
  config,
  operationId: 'second_factors.add_passkey',
  summary: 'Add a passkey',
  tags,
  body: newPasskeyBody,
  response: { 201: addedSecondFactor },
})

/** Removes a second factor; the last one with the recovery codes. 409 for the last one while a second factor is required. */
export const deleteSecondFactor = endpoint('DELETE', `${url}/:id`, {
  config: { capability: 'own_account', confirmed: true },
  operationId: 'second_factors.delete',
  summary: 'Remove a second factor',
  tags,
  params,
  response: { 204: z.null() },
})

/** Replaces your recovery codes. 409 without a second factor. */
export const renewRecoveryCodes = endpoint('POST', `${url}/recovery-codes`, {
  config: { capability: 'own_account', confirmed: true },
  operationId: 'second_factors.renew_codes',
  summary: 'Make new recovery codes',
  tags,
  response: {
    200: z.object({
      /** The new recovery codes, shown once. */
      recovery_codes: z.array(z.string()),
    }),
  },
})

/** Removes the second factors and recovery codes of another account of the console, and ends its sessions. 409 for your own account. */
export const resetSecondFactor = endpoint('DELETE', '/api/v1/admin/team/:id/second-factor', {
  config: { capability: 'team', confirmed: true },
  operationId: 'second_factors.reset',
  summary: "Reset another person's second factor",
  tags,
  params,
  response: { 204: z.null() },
})

const securityUrl = '/api/v1/admin/security'

/** The rules of signing in for all accounts of the console. */
export const getSecuritySettings = endpoint('GET', securityUrl, {
  config: { capability: 'security' },
  operationId: 'security.get',
  summary: 'Get the security settings',
  tags,
  response: { 200: securitySettings },
})

/** 409 if the caller requires a second factor without having one. */
export const updateSecuritySettings = endpoint('PUT', securityUrl, {
  config: { capability: 'security', confirmed: true },
  operationId: 'security.update',
  summary: 'Change the security settings',
  tags,
  body: z.strictObject({
    /** Whether every account needs a second factor. */
    second_factor_required: z.boolean(),
  }),
  response: { 200: securitySettings },
})
