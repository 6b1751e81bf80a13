import { createHash } from 'node:crypto'

/** A random generator with the same sequence for the same seed. */
export type Chance = {
  /** From 0 to below 1. */
  fraction(): number
  /** An integer from `least` to `most`, both included. */
  integer(least: number, most: number): number
  /** True with this probability: 0.25 is one time in four. */
  is(share: number): boolean
  pick<T>(choices: readonly [T, ...T[]]): T
  uuid(): string
}

/** Mulberry32 (Tommy Ettinger, public domain) with a text as its seed. */
export function chanceOf(...seed: readonly (string | number)[]): Chance {
  let state = createHash('sha256').update(seed.join('\n')).digest().readUInt32LE(0)
  const fraction = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (least: number, most: number) => least + Math.floor(fraction() * (most - least + 1))
  return {
    fraction,
    integer,
    is: (share) => fraction() < share,
    pick: (choices) => choices[integer(0, choices.length - 1)] ?? choices[0],
    uuid() {
      const hex = Array.from({ length: 4 }, () =>
        integer(0, 2 ** 32 - 1)
          .toString(16)
          .padStart(8, '0'),
      ).join('')
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
    },
  }
}
