import { createHash } from 'node:crypto'

/** A whole number from 0 to `below` - 1: pseudorandom, but the same for the same parts. */
export function draw(below: number, ...parts: readonly (string | number)[]): number {
  return createHash('sha256').update(parts.join('\n')).digest().readUInt32BE(0) % below
}

/** A pseudo-random element of `choices`, the same for the same parts. */
export function pick<T>(choices: readonly [T, ...T[]], ...parts: readonly (string | number)[]): T {
  return choices[draw(choices.length, ...parts)] ?? choices[0]
}
