/** Symbols of invisible characters. */
const SIGNS: Readonly<Record<string, string>> = { ' ': '·', '\t': '→', '\r': '␍', '\u00a0': '⍽' }

/** Other blanks, invisible and bidirectional control characters; not the joiners of emoji. */
const UNSEEN = /(?<!\S) | (?!\S)|[\t\r\u00a0]|(?![ \u200d])[\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}]/gu

/**
 * A text with its blanks made visible: a dot for a space, unless it only parts two words; an arrow for a tab, the
 * code point of every other invisible character.
 */
export function visibleBlanks(text: string): string {
  return text.replace(UNSEEN, (unseen) => SIGNS[unseen] ?? `‹U+${codePoint(unseen)}›`)
}

function codePoint(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
}
