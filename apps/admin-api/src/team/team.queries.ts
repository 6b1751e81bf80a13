import type { ConsoleRole } from '@switchboard/contract/auth/current-admin'
import type { Member } from '@switchboard/contract/team'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'
import { NO_PASSWORD } from '@switchboard/sign-in/passwords'
import type { LiveLimits } from '#src/auth/sessions/sessions.queries.ts'

/** Everyone who runs the console, by email address. */
export async function members(db: Kysely<Database>, limits: LiveLimits): Promise<Member[]> {
  return await selectMembers(db, limits).orderBy('email').orderBy('id').execute()
}

/** A person who runs the console; undefined for the id of a tenant's user. */
export async function memberById(db: Kysely<Database>, limits: LiveLimits, id: string): Promise<Member | undefined> {
  return await selectMembers(db, limits).where('id', '=', id).executeTakeFirst()
}

function selectMembers(db: Kysely<Database>, { now, idleSince }: LiveLimits) {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'name', 'is_active', 'created_at', 'last_sign_in_at', 'version', 'may_use_password'])
    .select((row) => [
      // A constraint of the table: users without a tenant have a console role.
      row.ref('role').$castTo<ConsoleRole>().as('role'),
      row
        .selectFrom('second_factors')
        .select(sql<Member['second_factors']>`coalesce(array_agg(distinct kind order by kind), '{}')`.as('kinds'))
        .whereRef('user_id', '=', 'users.id')
        .$asScalar()
        .$notNull()
        .as('second_factors'),
      row
        .selectFrom('sessions')
        .select(sql<number>`count(*)::int`.as('count'))
        .whereRef('user_id', '=', 'users.id')
        .where('expires_at', '>', now.toISOString())
        .where('last_seen_at', '>', idleSince.toISOString())
        .$asScalar()
        .$notNull()
        .as('open_session_count'),
      sql<Member['email_change']>`(
        select json_build_object(
          'email', links.email, 'requested_by', invited_by, 'created_at', ${isoText('created_at')},
          'expires_at', ${isoText('expires_at')}, 'mail_state', mail_state, 'mail_problem', mail_problem)
        from links where user_id = users.id and kind = 'email_change' and expires_at > ${now.toISOString()}
      )`.as('email_change'),
      sql<Member['sign_in_methods']>`array_remove(array[
        case when exists (select from sso_identities where user_id = users.id) then 'single_sign_on' end,
        case when password_hash <> ${NO_PASSWORD} then 'password' end
      ], null)`.as('sign_in_methods'),
      row
        .selectFrom('service_tokens')
        .select(
          sql<Member['tokens']>`
            coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name) order by name), '[]')`.as('tokens'),
        )
        .whereRef('created_by_id', '=', 'users.id')
        .where('revoked_at', 'is', null)
        .where('service_tokens.expires_at', '>', now.toISOString())
        .$asScalar()
        .$notNull()
        .as('tokens'),
      row
        .selectFrom('links')
        .select(sql<number>`count(*)::int`.as('count'))
        .whereRef('invited_by_id', '=', 'users.id')
        .where('kind', '=', 'invitation')
        .where('expires_at', '>', now.toISOString())
        .$asScalar()
        .$notNull()
        .as('invitation_count'),
    ])
    .where('tenant_id', 'is', null)
}

/** Formats a column of `links` like the other times in JSON. The session is in UTC. */
function isoText(column: 'created_at' | 'expires_at') {
  return sql`to_char(${sql.ref(`links.${column}`)}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
