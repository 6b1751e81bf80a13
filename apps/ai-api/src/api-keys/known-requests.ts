import type { KnownKey } from './api-keys.queries.ts'

/** Requests that there is room for; 16 MB, of which the system gives what is used. A power of two. */
const SLOTS = 262_144
/** When more of the slots than this are taken, the table begins anew: a fuller one is searched for longer. */
const TAKEN_MAX = 0.75
/** Most requests of one key, lest one that may come from anywhere takes all the room with origins that it makes up. */
const OF_ONE_KEY_MAX = 16

// A slot has 64 bytes, a line of the processor's cache: the digest, how often and when it was used, until when it holds.
const WORDS = 16
const DIGEST_WORDS = 8
const COUNT = 8
const TAKEN = 9
const TIMES = 8
const ENDS = 5
const LAST = 6

/** Answers to requests whose very bytes a good key has sent before, found by the SHA-256 of these bytes. */
export type KnownRequests = ReturnType<typeof createKnownRequests>

export function createKnownRequests(slots = SLOTS) {
  const memory = new ArrayBuffer(slots * WORDS * Uint32Array.BYTES_PER_ELEMENT)
  const words = new Uint32Array(memory)
  const times = new Float64Array(memory)
  // Whole from the start: an array that is filled here and there would become a dictionary.
  const answers = Array.from({ length: slots }, () => '')
  const keyIds = Array.from({ length: slots }, () => '')
  const slotsOfKey = new Map<string, number[]>()
  const wanted = new Uint32Array(DIGEST_WORDS)
  let taken = 0
  let used: number[] = []

  /** The slot that holds a digest, or the free one where it belongs. */
  const find = (digest: string): number => {
    for (let n = 0; n < DIGEST_WORDS; n += 1) wanted[n] = wordAt(digest, 4 * n)
    let slot = (wanted[0] ?? 0) & (slots - 1)
    while (words[slot * WORDS + TAKEN] === 1 && !isWantedAt(slot * WORDS)) slot = (slot + 1) & (slots - 1)
    return slot
  }
  const isWantedAt = (at: number): boolean => {
    for (let n = 0; n < DIGEST_WORDS; n += 1) if (words[at + n] !== wanted[n]) return false
    return true
  }

  const clear = () => {
    for (const slotsOfOne of slotsOfKey.values()) for (const slot of slotsOfOne) times[slot * TIMES + ENDS] = 0
    slotsOfKey.clear()
  }

  return {
    /**
     * The answer to a request, counted as a use of its key; undefined when it is not known or no longer holds. `digest`
     * has a character for each of its 32 bytes (latin1), `now` is `performance.now()`, `databaseTime` in ms since the
     * epoch.
     */
    use(digest: string, now: number, databaseTime: number): string | undefined {
      const slot = find(digest)
      if (databaseTime >= (times[slot * TIMES + ENDS] ?? 0)) return undefined
      const count = words[slot * WORDS + COUNT] ?? 0
      if (count === 0) used.push(slot)
      words[slot * WORDS + COUNT] = count + 1
      times[slot * TIMES + LAST] = now
      return answers[slot]
    },

    /** Keeps the answer that a key has just been given, while there is room and until the key ends or is forgotten. */
    keep(digest: string, { api_key_id, expires_at }: KnownKey, answer: string): void {
      const slotsOfOne = slotsOfKey.get(api_key_id) ?? []
      if (taken > TAKEN_MAX * slots || slotsOfOne.length >= OF_ONE_KEY_MAX) return
      const slot = find(digest)
      if (words[slot * WORDS + TAKEN] === 0) {
        taken += 1
        words.set(wanted, slot * WORDS)
        words[slot * WORDS + TAKEN] = 1
      }
      times[slot * TIMES + ENDS] = expires_at === null ? Infinity : Date.parse(expires_at)
      answers[slot] = answer
      keyIds[slot] = api_key_id
      if (!slotsOfOne.includes(slot)) slotsOfKey.set(api_key_id, [...slotsOfOne, slot])
    },

    /** Forgets the answers of a key; what has been counted stays. */
    forget({ api_key_id }: KnownKey): void {
      for (const slot of slotsOfKey.get(api_key_id) ?? []) times[slot * TIMES + ENDS] = 0
      slotsOfKey.delete(api_key_id)
    },

    /** Forgets all answers. */
    clear,

    /** Hands over what has been counted since the last time: the key, how often, and when last (`performance.now()`). */
    takeUses(note: (keyId: string, count: number, lastAt: number) => void): void {
      for (const slot of used) {
        note(keyIds[slot] ?? '', words[slot * WORDS + COUNT] ?? 0, times[slot * TIMES + LAST] ?? 0)
        words[slot * WORDS + COUNT] = 0
      }
      used = []
      if (taken <= TAKEN_MAX * slots) return
      clear()
      words.fill(0)
      taken = 0
    },
  }
}

/** Four of the characters, each a byte, as a number. */
function wordAt(digest: string, at: number): number {
  const [a, b] = [digest.charCodeAt(at), digest.charCodeAt(at + 1)]
  const [c, d] = [digest.charCodeAt(at + 2), digest.charCodeAt(at + 3)]
  return a | (b << 8) | (c << 16) | (d << 24)
}
