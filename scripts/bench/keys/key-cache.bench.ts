import { randomBytes, randomUUID } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createKeyCache } from '#apps/ai-api/src/api-keys/key-cache.ts'
import { amount, type Figure } from '#scripts/bench/measure.ts'

/** The most that a process caches. */
const KEYS = 250_000
const KEYS_PER_TENANT = 10

/** Memory of a cached key with two allowed origins, as it comes from the database. */
export async function benchKeyCache(): Promise<Figure[]> {
  setFlagsFromString('--expose-gc')
  const collectGarbage: unknown = runInNewContext('gc')
  const used = () => {
    if (typeof collectGarbage === 'function') collectGarbage()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const before = used()
  const cache = createKeyCache()
  let tenant_id = ''
  for (let n = 0; n < KEYS; n += 1) {
    if (n % KEYS_PER_TENANT === 0) tenant_id = randomUUID()
    cache.add({
      hash: randomBytes(32).toString('hex'),
      api_key_id: randomUUID(),
      // Every row of the database has strings of its own.
      tenant_id: Buffer.from(tenant_id).toString(),
      environment: 'live',
      refusal: null,
      expires_at: null,
      grace_ends_at: null,
      allowed_origins: ['https://api.example.com', 'https://shop.example.com'].map((origin) => `${origin}:${n}`),
    })
  }
  const bytes = (used() - before) / KEYS
  // The cache must outlive the measurement.
  cache.clear()
  return [amount(`memory of a cached key, ${KEYS} keys, ${KEYS_PER_TENANT} of a tenant`, bytes, 'bytes', 2_000)]
}
