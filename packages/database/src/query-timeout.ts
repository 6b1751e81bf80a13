import { Client, type ClientBase } from 'pg'

/**
 * Gives up a query on this connection, and with it the connection, when it is not answered in time; without `timeoutMs`
 * never. In place of pg's own `query_timeout`, and of its promises: both give the query a callback that knows the query.
 * V8 (of Node 20 to 26) tidies such a ring up in full collections alone, and until then it holds all rows that came.
 */
export function limitQueries(client: ClientBase, timeoutMs?: number): void {
  const send = client.query.bind(client)
  Object.defineProperty(client, 'query', {
    value: (text: unknown, values: unknown, ...rest: unknown[]): unknown => {
      if (typeof text !== 'string' || rest.length > 0) return Reflect.apply(send, client, [text, values, ...rest])
      return new Promise((resolve, reject) => {
        const timer = timeoutMs === undefined ? undefined : setTimeout(giveUp, timeoutMs, client, reject)
        const answer = (error: Error | null | undefined, result: unknown) => {
          clearTimeout(timer)
          if (error === null || error === undefined) resolve(result)
          else reject(error)
        }
        Reflect.apply(send, client, [text, values, answer])
      })
    },
  })
}

function giveUp(client: ClientBase, reject: (error: Error) => void): void {
  reject(new Error('Query read timeout'))
  // It ends at once, because a query is under way; the pool opens another one.
  if (client instanceof Client) void client.end()
}
