import { generatePlaceId, type PlaceQuery } from '@switchboard/contract/places'
import { useMutation } from '@tanstack/react-query'
import { call } from '#src/lib/call.ts'

/** Looks a business up at Google Maps; costs money, so only when asked to. */
export function useGeneratePlaceId() {
  return useMutation({ mutationFn: (body: PlaceQuery) => call(generatePlaceId, { body }) })
}
