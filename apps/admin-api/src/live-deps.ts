import { randomBytes } from 'node:crypto'
import { createRenderer } from '@switchboard/prompts/renderer'
import { createPasswords } from '#src/auth/passwords.ts'
import type { Deps } from '#src/deps.ts'

/** The deps of a running server: the real clock, real randomness, real hashing and rendering, beside what its settings say. */
export async function liveDeps(given: Omit<Deps, 'now' | 'randomBytes' | 'passwords' | 'renderer'>): Promise<Deps> {
  return {
    ...given,
    now: () => new Date(),
    randomBytes,
    passwords: await createPasswords(),
    renderer: createRenderer(),
  }
}
