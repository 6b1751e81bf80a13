/** Symbols for common invisible characters. */
const SYMBOLS: Readonly<Record<string, string>> = { ' ': '·', '\t': '→', '\r': '␍', '\u00a0': '⍽' }

/** Other blanks, invisible and bidirectional control characters; not the joiners of emoji. */
const INVISIBLE = /(?<!\S) | (?!\S)|[\t\r\u00a0]|(?![ \u200d])[\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}]/gu

/**
 * Makes the invisible characters of a text visible: a dot for a space that is not a single space between words, an
 * arrow for a tab, the code point of every other invisible character.
 */
export function visibleBlanks(text: string): string {
  return text.replace(INVISIBLE, (character) => SYMBOLS[character] ?? `‹U+${codePoint(character)}›`)
}

function codePoint(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
}
