/** Two queries in flight keep PostgreSQL busy while this process answers requests. */
const QUERIES_BUSY = 2
/** Longest wait of a batch while so many queries are in flight, in milliseconds. One of them may hang. */
const GATHER_MS = 50

/**
 * Loads values by key in batches: one call of `read` for all keys requested in one turn of the event loop, or while two
 * earlier calls are in flight. A key that `read` does not return has no value.
 */
export function createBatchLoader<Value>(read: (keys: string[]) => Promise<ReadonlyMap<string, Value>>) {
  let batch = new Map<string, PromiseWithResolvers<Value | null>>()
  let queries = 0

  const loadBatch = async (): Promise<void> => {
    if (batch.size === 0) return
    const loading = batch
    batch = new Map()
    queries += 1
    try {
      const values = await read([...loading.keys()])
      for (const [key, { resolve }] of loading) resolve(values.get(key) ?? null)
    } catch (error) {
      for (const { reject } of loading.values()) reject(error)
    }
    queries -= 1
    setImmediate(startLoading)
  }

  const startLoading = () => void loadBatch()

  /** Returns the value as the database has it now, or null. */
  return function load(key: string): Promise<Value | null> {
    if (batch.size === 0) {
      if (queries < QUERIES_BUSY) setImmediate(startLoading)
      else setTimeout(startLoading, GATHER_MS)
    }
    return batch.getOrInsertComputed(key, () => Promise.withResolvers<Value | null>()).promise
  }
}
