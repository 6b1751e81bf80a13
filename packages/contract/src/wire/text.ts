import * as z from 'zod/mini'

/** @internal The sentence for a line break in a text of one line. */
export const ONE_LINE = 'Write this on one line.'
/** @internal The sentence for other characters that a text of one line must not have. */
export const NO_CONTROL_CHARACTERS = 'This text has invisible control characters. Type it instead of pasting it.'

/** LF, VT, FF, CR, NEL, line separator, paragraph separator. */
const LINE_BREAK = /[\n\v\f\r\u0085\u2028\u2029]/
/**
 * Control characters, including TAB, and the characters that change the direction of the text around them. The
 * direction marks of Arabic and Hebrew (U+200E, U+200F, U+061C) and the joiners of emoji and Persian (U+200C, U+200D)
 * are allowed, because they do not.
 */
const CONTROL = /[\p{Cc}\u202a-\u202e\u2066-\u206f]/u
/** Matches a visible character: anything except controls, spaces, marks without a letter, fillers and blank symbols. */
const VISIBLE = /[^\p{Cc}\p{Cf}\p{Z}\p{M}\p{DI}\u2800\ufffc\u{13441}\u{13442}\u{1d159}]/u

/**
 * A string of at most `max` UTF-16 units with any characters, including line breaks: a text of several lines, or a
 * secret. Stored and shown byte for byte. Before any schema runs, the servers refuse characters that PostgreSQL cannot
 * store (NUL, lone surrogates).
 */
export function anyText(max: number) {
  return z.string().check(z.maxLength(max, `Use at most ${max} characters.`))
}

/** A text of one line, stored and shown byte for byte. */
export function text(max: number) {
  return anyText(max).check(oneLine)
}

/** Like `text`, but trimmed. */
export function trimmedText(max: number) {
  return anyText(max).check(z.trim(), oneLine)
}

/** A required text of one line: trimmed, with a visible character. `message` is the error for a text without one. */
export function requiredText(max: number, message: string) {
  return anyText(max).check(z.trim(), visible(message), oneLine)
}

/** Whether a text has a visible character. */
export function isVisible(value: string): boolean {
  return VISIBLE.test(value)
}

export function visible(message: string) {
  return z.refine<string>(isVisible, { error: message, abort: true })
}

function oneLine({ value, issues }: z.core.ParsePayload<string>): void {
  const message = LINE_BREAK.test(value) ? ONE_LINE : CONTROL.test(value) ? NO_CONTROL_CHARACTERS : null
  if (message !== null) issues.push({ code: 'custom', message, input: value })
}

/**
 * Makes one line of a text that nobody can correct: line breaks and tabs become spaces, other control characters are
 * removed.
 */
export function cleanLine(typed: string): string {
  return typed
    .replaceAll(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
    .replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u206f]/gu, '')
    .trim()
}

/** A search term. It is cleaned, because pasted text often has invisible characters. */
export function searchText(max: number) {
  return anyText(max).check(z.overwrite(cleanLine))
}

// In UTC, as ISO 8601 with milliseconds: `2026-11-20T09:30:00.000Z`. Without a doc comment, so that each field needs one.
export const moment = z.iso.datetime()
