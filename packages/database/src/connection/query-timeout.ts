import { Client, type ClientBase, type QueryConfig, type QueryResult } from 'pg'

/**
 * Runs a query with a time limit. After the limit the query fails and its connection is closed. Without `timeoutMs` there
 * is no limit. Replaces node-postgres's own `query_timeout` and promises, because both give the query a
 * callback with a reference to the query. V8 (of Node 20 to 26) frees such a cycle in full collections only, and keeps
 * all rows of the result until then.
 */
export function queryWithin(client: ClientBase, query: QueryConfig, timeoutMs?: number): Promise<QueryResult> {
  return new Promise((resolve, reject) => {
    const timer = timeoutMs === undefined ? undefined : setTimeout(onTimeout, timeoutMs, client, reject)
    client.query(query, (error: Error | null | undefined, result) => {
      clearTimeout(timer)
      if (error === null || error === undefined) resolve(result)
      else reject(error)
    })
  })
}

function onTimeout(client: ClientBase, reject: (error: Error) => void): void {
  reject(new Error('Query read timeout'))
  // Closes at once, because a query is running. The pool opens another connection.
  if (client instanceof Client) void client.end()
}
