import * as z from 'zod/mini'
import { requiredText } from '#src/wire/text.ts'

/** Longest place id. Google documents no maximum; existing place ids have up to 255 characters. */
export const PLACE_ID_MAX = 512
/** Google's id of a place, as typed or looked up. Only the id may be stored permanently (docs/google.md). */
export const placeId = requiredText(PLACE_ID_MAX, 'Enter a Google Place ID.').check(
  z.regex(/^[\w-]*$/, 'A Google Place ID has only letters, digits, hyphens and underscores.'),
)
