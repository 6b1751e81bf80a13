import { createPlacesClient, type PlacesClient } from '@switchboard/places/places.client'
import type { Settings } from '@switchboard/server/settings/env'

/** Google Maps, or what the settings name instead, with the real clock, by which Google's daily quota begins anew. */
export function livePlaces(settings: Pick<Settings, 'googlePlacesUrl' | 'googleMapsApiKey'>): PlacesClient {
  const { googlePlacesUrl: url, googleMapsApiKey: apiKey } = settings
  return createPlacesClient({ url, apiKey, now: () => new Date() })
}
