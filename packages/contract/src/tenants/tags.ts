import * as z from 'zod/mini'
import { visible } from '#src/wire/text.ts'

/** Maximum number of tags of a tenant. */
export const TAGS_MAX = 20
/** Longest tag. */
export const TAG_MAX = 40

/** One tag. Blanks and commas separate tags in a form and in a CSV file. */
export const tag = z.string().check(
  z.maxLength(TAG_MAX, `Use at most ${TAG_MAX} characters in a tag.`),
  z.regex(
    /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]*$/u,
    'A tag has letters, digits, "-", "_" and ".", and begins with a letter or a digit.',
  ),
  // Some letters are invisible, so a letter is not enough.
  visible('A tag needs a visible character.'),
  z.refine((value) => value === value.toLowerCase(), 'A tag is in lower case.'),
)

/** The tags of a tenant, each once. */
export const tags = z.array(tag).check(
  z.maxLength(TAGS_MAX, `A tenant can have ${TAGS_MAX} tags.`),
  z.refine((values) => new Set(values).size === values.length, 'Each tag can be set once.'),
)

/** The tags in a typed text, separated by blanks or commas: in lower case, each once. */
export function tagsIn(text: string): string[] {
  return [...new Set(text.toLowerCase().split(/[\s,]+/u))].filter((each) => each !== '')
}
