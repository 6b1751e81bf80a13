import { randomBytes } from 'node:crypto'
import { createPhotosClient } from '@switchboard/places/photos.client'
import { createPlacesClient } from '@switchboard/places/places.client'
import { createRenderer } from '@switchboard/prompts/renderer'
import type { Settings } from '@switchboard/server/env'
import { createPasswords } from '#src/auth/passwords.ts'
import type { Deps } from '#src/deps.ts'

/** The deps of a running server: the real clock, randomness, hashing, maps and rendering, beside what is given. */
export async function liveDeps(
  given: Omit<Deps, 'now' | 'randomBytes' | 'passwords' | 'places' | 'photos' | 'renderer'>,
  settings: Pick<Settings, 'googlePlacesUrl' | 'googlePhotosUrl' | 'googleMapsApiKey'>,
): Promise<Deps> {
  const now = () => new Date()
  const places = createPlacesClient({ url: settings.googlePlacesUrl, apiKey: settings.googleMapsApiKey, now })
  const photos = createPhotosClient({ url: settings.googlePhotosUrl, now })
  return { ...given, now, randomBytes, passwords: await createPasswords(), places, photos, renderer: createRenderer() }
}
