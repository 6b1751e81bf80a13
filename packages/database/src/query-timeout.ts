import { Client, type ClientBase, type QueryConfig, type QueryResult } from 'pg'

/**
 * Runs a query, and gives it up together with its connection when it is not answered in time; without `timeoutMs` it
 * waits for ever. In place of node-postgres's own `query_timeout` and promises: both give the query a callback that
 * refers to the query. V8 (of Node 20 to 26) frees such a cycle in full collections only, and until then it keeps all
 * rows of the result.
 */
export function queryWithin(client: ClientBase, query: QueryConfig, timeoutMs?: number): Promise<QueryResult> {
  return new Promise((resolve, reject) => {
    const timer = timeoutMs === undefined ? undefined : setTimeout(giveUp, timeoutMs, client, reject)
    client.query(query, (error: Error | null | undefined, result) => {
      clearTimeout(timer)
      if (error === null || error === undefined) resolve(result)
      else reject(error)
    })
  })
}

function giveUp(client: ClientBase, reject: (error: Error) => void): void {
  reject(new Error('Query read timeout'))
  // It ends at once, because a query is under way; the pool opens another one.
  if (client instanceof Client) void client.end()
}
