import { hash, verify } from '@node-rs/argon2'
import { unavailable } from '@switchboard/server/http/errors'
import pLimit from 'p-limit'

/** argon2id parameters of OWASP's password storage cheat sheet: 19 MiB, two passes, one lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const CURRENT = '$argon2id$v=19$m=19456,t=2,p=1$'
/** Maximum number of parallel hashes; each takes a core and 19 MiB. */
const AT_A_TIME = 4
/** Callers beyond this many in line are sent away rather than kept waiting. */
const IN_LINE_MAX = 64

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

/** Hashes passwords, a few at a time. Throws 503 when too many wait. */
export async function createPasswords(): Promise<Passwords> {
  const limit = pLimit(AT_A_TIME)
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    if (limit.pendingCount >= IN_LINE_MAX) throw unavailable('Too many sign-ins at once. Try again in a moment.')
    return limit(work)
  }
  const otherHash = await hash('the password of no account', PARAMETERS)
  return {
    hash: (password) => inTurn(() => hash(password, PARAMETERS)),
    verify: async (stored, password) => {
      const matchesOther = async () => (await verify(otherHash, password)) && false
      // argon2 rejects an undecodable hash at once. `matchesOther` then does the same work and gives the same answer.
      return await inTurn(() => (stored === null ? matchesOther() : verify(stored, password).catch(matchesOther)))
    },
    isOutdated: (stored) => !stored.startsWith(CURRENT),
  }
}
