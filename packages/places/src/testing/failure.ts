import { PlacesError } from '#src/places-error.ts'
import { expect } from 'vitest'

/** The PlacesError of a failed call; any other result fails the test. */
export async function failure(call: Promise<unknown>): Promise<PlacesError> {
  const error = await call.then(
    () => expect.fail('no error'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof PlacesError)) throw error
  return error
}
