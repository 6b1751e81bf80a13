import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Client, Notification } from 'pg'
import type { Database } from '#src/tables.ts'

/**
 * A connection did not receive the announcement of another connection in time. The database is busy, a transaction
 * pooler is in between, or the connection leads to another database.
 */
export class NotificationLostError extends Error {
  override name = 'NotificationLostError'
  constructor() {
    super(
      'The connection received no notification of another connection in time: the database is busy, or a transaction pooler is in between.',
    )
  }
}

/** A connection that listens on its channels. */
export type Listening = {
  /** The process id of the listening PostgreSQL backend. */
  pid: number
  /**
   * Announces a nonce over a connection of `db`. Throws a NotificationLostError unless the nonce arrives here within
   * `arrivalMs` milliseconds.
   */
  prove: (db: Kysely<Database>, arrivalMs: number) => Promise<void>
}

/** Makes `client` listen on `channel`, and on a unique channel for proofs. */
export async function startListening(client: Client, channel: string): Promise<Listening> {
  const checkChannel = `switchboard_${randomUUID()}`
  for (const name of [checkChannel, channel]) await client.query(`listen ${client.escapeIdentifier(name)}`)
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return {
    pid: rows[0]?.pid ?? 0,
    async prove(db, arrivalMs) {
      const nonce = randomUUID()
      const arrival = Promise.withResolvers<void>()
      const onNotification = ({ payload }: Notification) => {
        if (payload === nonce) arrival.resolve()
      }
      client.on('notification', onNotification)
      try {
        await sql`select pg_notify(${checkChannel}, ${nonce})`.execute(db)
        const timeout = setTimeout(() => arrival.reject(new NotificationLostError()), arrivalMs)
        await arrival.promise.finally(() => clearTimeout(timeout))
      } finally {
        client.off('notification', onNotification)
      }
    },
  }
}
