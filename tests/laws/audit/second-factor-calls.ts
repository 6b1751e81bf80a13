import { createAuthenticator } from '#apps/admin-api/src/testing/software-authenticator.ts'
import { base32Of, totpCodes } from '#apps/admin-api/src/testing/totp-codes.ts'
import { type AuditedCalls, del, post, SITE, type World } from './audited-call.ts'

const SECRET = Buffer.from('seven sisters, dusk.')
const WEBAUTHN_CHALLENGE = 'a'.repeat(43)

export const SECOND_FACTOR_CALLS: AuditedCalls = {
  'second_factors.add_totp': async (world) => {
    const code = totpCodes(base32Of(SECRET))(world.api.clock.at)
    return post('/auth/second-factors/totp', { id: await enroll(world, SECRET), name: 'Phone', code })
  },
  'second_factors.add_passkey': async (world) => {
    const passkey = createAuthenticator(SITE).create(WEBAUTHN_CHALLENGE)
    return post('/auth/second-factors/passkey', { id: await enroll(world), name: 'Laptop', passkey })
  },
  'second_factors.renew_codes': async (world) => {
    await addFactor(world, world.actor.admin.id)
    return post('/auth/second-factors/recovery-codes')
  },
  'second_factors.delete': async (world) => del(`/auth/second-factors/${await addFactor(world, world.actor.admin.id)}`),
}

/** Gives an account an authenticator app, with which its sessions are confirmed. Returns the id of the app. */
export async function addFactor({ api, db }: World, userId: string): Promise<string> {
  const { id } = await db
    .insertInto('second_factors')
    .values({
      user_id: userId,
      kind: 'totp',
      name: 'Old phone',
      created_at: api.clock.at,
      totp_secret: Buffer.from('four kettles of plum'),
      totp_step: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const confirmed_with_factor_at = api.clock.at
  await db.updateTable('sessions').set({ confirmed_with_factor_at }).where('user_id', '=', userId).execute()
  return id
}

async function enroll({ api, db, actor }: World, totp_secret: Buffer | null = null): Promise<string> {
  const id = crypto.randomUUID()
  await db
    .insertInto('sign_in_challenges')
    .values({
      id,
      user_id: actor.admin.id,
      purpose: 'enrollment',
      created_at: api.clock.at,
      expires_at: new Date(api.clock.at.getTime() + 3_600_000),
      webauthn_challenge: WEBAUTHN_CHALLENGE,
      totp_secret,
    })
    .execute()
  return id
}
