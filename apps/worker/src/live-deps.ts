import { createPlacesClient, type PlacesClient } from '@switchboard/places/places.client'
import type { Settings } from '@switchboard/server/settings/env'

/** Client of Google Maps, or of the server in the settings. Google's daily quota follows the real clock. */
export function livePlaces(
  settings: Pick<Settings, 'googlePlacesUrl' | 'googleMapsApiKey' | 'outboundProxies'>,
): PlacesClient {
  const { googlePlacesUrl: url, googleMapsApiKey: apiKey, outboundProxies: proxies } = settings
  return createPlacesClient({ url, apiKey, proxies, now: () => new Date() })
}
