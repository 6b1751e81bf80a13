import { generatePlaceId, type PlaceQuery } from '@switchboard/contract/places'
import { useMutation } from '@tanstack/react-query'
import { call } from '#src/lib/call.ts'

/** Looks up a business on Google Maps. Each call is billed, so nothing is prefetched. */
export function useGeneratePlaceId() {
  return useMutation({ mutationFn: (body: PlaceQuery) => call(generatePlaceId, { body }) })
}
