type Place = { place_id: string; place_name?: string | null | undefined; place_address?: string | null | undefined }

/** Length from which a place id is shortened, and of the parts that remain. */
const ID_WHOLE_MAX = 15
const ID_END = 6

/** "Corner Bakery, 12 High St for Harbor Dental". A place named like its tenant says the name once. */
export function taskName({ extra_data, tenant_name }: { extra_data: Place; tenant_name: string }): string {
  const label = placeLabel(extra_data)
  return placeParts(extra_data).name === tenant_name ? label : `${label} for ${tenant_name}`
}

/**
 * The place of a task, which tells two tasks of a tenant apart: "Corner Bakery, 12 High St", the name with the first part of
 * the address. Without a name "ChIJN1…yFrY4", the ends of the id.
 */
export function placeLabel(place: Place): string {
  const { name, street } = placeParts(place)
  return street === '' ? name : `${name}, ${street}`
}

/** The two parts of `placeLabel`; `street` is empty if unknown. */
export function placeParts({ place_id, place_name, place_address }: Place): { name: string; street: string } {
  if (place_name) {
    const street = place_address?.split(',')[0]?.trim() ?? ''
    return { name: place_name, street: street === place_name ? '' : street }
  }
  const name = place_id.length <= ID_WHOLE_MAX ? place_id : `${place_id.slice(0, ID_END)}…${place_id.slice(-ID_END)}`
  return { name, street: '' }
}
