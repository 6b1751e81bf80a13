import { createPhotosClient } from '@switchboard/places/photos.client'
import { failure } from '@switchboard/places/testing/failure'
import { afterAll, expect, test } from 'vitest'
import type { Fault } from './faults.ts'
import { startMapsEmulator } from './maps-emulator.ts'
import { photoUri, samplePhoto } from './sample-photos.ts'

const now = () => new Date('2026-11-20T09:30:00.000Z')
const emulator = await startMapsEmulator({ now, apiKey: 'AIza-of-the-emulator' })
const client = createPhotosClient({ url: emulator.url, now, totalMs: 4_000 })
afterAll(async () => {
  await client.close()
  await emulator.close()
})

test('each author has a constant photo, different from all others', async () => {
  const [ada, ben] = [await client.photo(photoUri('Ada')), await client.photo(photoUri('Ben'))]
  expect(ada).toBe(`data:image/png;base64,${samplePhoto('sample-ada').toString('base64')}`)
  expect(ada.length).toBeLessThan(4_000)
  expect(ben).not.toBe(ada)
})

const cases: [Fault, string][] = [
  ['slow', 'timeout'],
  ['huge', 'too_large (UND_ERR_RES_EXCEEDED_MAX_SIZE)'],
  ['huge_png', 'too_large (UND_ERR_RES_EXCEEDED_MAX_SIZE)'],
  ['html', 'unreadable (no picture)'],
  ['svg', 'unreadable (no picture)'],
  ['cut_off', 'unreadable (no picture)'],
  ['redirect', 'redirected (HTTP 302)'],
  ['place_obsolete', 'unavailable (HTTP 404)'],
  ['internal', 'unavailable (HTTP 500)'],
  ['dropped', 'unreachable (UND_ERR_SOCKET)'],
]
test.for(cases)('%s is no photo: %s', async ([fault, message]) => {
  expect((await failure(client.photo(`https://lh3.googleusercontent.com/a/fault_${fault}=s96`))).message).toBe(message)
})

test('a script is followed; later calls succeed', async () => {
  emulator.script('sample-chloe', ['html'])
  expect((await failure(client.photo(photoUri('Chloe')))).reason).toBe('unreadable')
  expect(await client.photo(photoUri('Chloe'))).toMatch(/^data:image\/png;/)
})

test('a key is refused', async () => {
  const answer = await fetch(`${emulator.url}/a/sample-ada=s96`, { headers: { 'x-goog-api-key': 'any' } })
  expect(answer.status).toBe(400)
})
