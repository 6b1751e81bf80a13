import { randomBytes } from 'node:crypto'
import { createPhotosClient } from '@switchboard/places/photos.client'
import { createPlacesClient } from '@switchboard/places/places.client'
import { createRenderer } from '@switchboard/prompts/renderer'
import type { Settings } from '@switchboard/server/settings/env'
import { createPasswords } from '@switchboard/sign-in/passwords'
import { createSignInFailures } from '@switchboard/sign-in/sign-in-metrics'
import type { Deps } from './deps.ts'

/** Adds real randomness, hashing, maps and rendering to the given deps. */
export async function liveDeps(
  given: Omit<Deps, 'randomBytes' | 'passwords' | 'signInFailures' | 'places' | 'photos' | 'renderer'>,
  settings: Pick<Settings, 'googlePlacesUrl' | 'googlePhotosUrl' | 'googleMapsApiKey' | 'outboundProxies'>,
): Promise<Deps> {
  const { now, log } = given
  const proxies = settings.outboundProxies
  const places = createPlacesClient({ url: settings.googlePlacesUrl, apiKey: settings.googleMapsApiKey, proxies, now })
  const photos = createPhotosClient({ url: settings.googlePhotosUrl, proxies, now })
  const passwords = await createPasswords()
  const signInFailures = createSignInFailures()
  return { ...given, randomBytes, passwords, signInFailures, places, photos, renderer: createRenderer(log) }
}
