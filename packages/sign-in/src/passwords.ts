import { hash, verify } from '@node-rs/argon2'
import { unavailable } from '@switchboard/server/http/errors'
import pLimit from 'p-limit'

/** argon2id parameters of OWASP's password storage cheat sheet: 19 MiB, two passes, one lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const CURRENT = '$argon2id$v=19$m=19456,t=2,p=1$'
/** A hash that no password matches. Every sign-in fails after the usual work. */
export const NO_PASSWORD = 'none'
/** Maximum number of parallel hashes; each takes a core and 19 MiB. */
const CONCURRENT_MAX = 4
/** Maximum number of waiting callers. Further callers get a 503 at once. */
const WAITING_MAX = 64

export type Passwords = {
  /** The PHC string to store. */
  hash: (password: string) => Promise<string>
  /**
   * Compares exactly: no trimming, no folding. Returns false, after the same work, for a missing hash or a hash argon2
   * cannot decode.
   */
  verify: (stored: string | null, password: string) => Promise<boolean>
  /** Whether a stored hash has outdated parameters and needs a rehash. */
  isOutdated: (stored: string) => boolean
}

/** One limit per process: admin-api and ai-api may share a process. */
const limit = pLimit(CONCURRENT_MAX)

/** Creates the password functions, which run a few hashes in parallel and throw 503 when too many wait. */
export async function createPasswords(): Promise<Passwords> {
  const limited = <T>(work: () => Promise<T>): Promise<T> => {
    if (limit.pendingCount >= WAITING_MAX) throw unavailable('Too many sign-ins at once. Try again in a moment.')
    return limit(work)
  }
  const decoyHash = await hash('the password of no account', PARAMETERS)
  return {
    hash: (password) => limited(() => hash(password, PARAMETERS)),
    verify: async (stored, password) => {
      const verifyDecoy = async () => (await verify(decoyHash, password)) && false
      // argon2 rejects an undecodable hash at once. `verifyDecoy` then does the same work and gives the same answer.
      return await limited(() => (stored === null ? verifyDecoy() : verify(stored, password).catch(verifyDecoy)))
    },
    isOutdated: (stored) => !stored.startsWith(CURRENT),
  }
}
