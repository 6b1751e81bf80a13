import { invalidArgument } from './google-error.ts'

/** Fields of a place in the emulator. */
const FIELDS = new Set([
  'attributions',
  'businessStatus',
  'displayName',
  'formattedAddress',
  'googleMapsLinks',
  'googleMapsLinks.reviewsUri',
  'googleMapsUri',
  'id',
  'movedPlaceId',
  'name',
  'rating',
  'reviews',
  'userRatingCount',
])

/**
 * Only the fields of `place` in a mask such as `id,googleMapsLinks.reviewsUri`, each below `prefix`. Throws like Google
 * when the mask is missing or names an unknown field.
 */
export function masked(place: object, mask: string | undefined, prefix = ''): object {
  if (mask === undefined || mask === '') {
    throw invalidArgument(
      "FieldMask is a required parameter. See https://cloud.google.com/apis/docs/system-parameters on how to provide it. As an example, you can set the header 'X-Goog-FieldMask' with value 'places.displayName' to ask for the display name.",
    )
  }
  const fields: Record<string, unknown> = {}
  for (const field of mask.split(',')) {
    if (field === '*') return place
    const path = field.startsWith(prefix) ? field.slice(prefix.length) : ''
    if (!FIELDS.has(path)) throw invalidArgument(`Request contains an invalid argument: unknown field "${field}".`)
    const [name = '', part] = path.split('.')
    const value: unknown = Reflect.get(place, name)
    if (value === undefined) continue
    fields[name] = part === undefined ? value : { [part]: Reflect.get(Object(value), part) }
  }
  return fields
}
