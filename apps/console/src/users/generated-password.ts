/** 32 letters and digits that are easy to tell apart, also when read aloud. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'
const GROUPS = 4
const GROUP_LENGTH = 5

/** A random password of 100 bits in groups: "k7mqx-3tpz9-wfdch-2nbua". */
export function generatedPassword(): string {
  const groups = Array.from({ length: GROUPS }, () => {
    const bytes = crypto.getRandomValues(new Uint8Array(GROUP_LENGTH))
    return Array.from(bytes, (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('')
  })
  return groups.join('-')
}
