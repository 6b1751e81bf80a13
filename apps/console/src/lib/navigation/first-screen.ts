/** How long the first screen waits for its data, in milliseconds. The router waits as long for the next page. */
const WAIT_MS = 300

let fetches: Promise<unknown>[] | undefined = []

/** Lets the first screen wait for a fetch. No effect after the first screen. */
export function holdFirstScreen(fetched: Promise<unknown>): void {
  fetches?.push(fetched)
}

/** Resolves with the data of the first screen, so that no skeletons flash, and after `WAIT_MS` at the latest. */
export async function firstData(): Promise<void> {
  const arrived = Promise.allSettled(fetches ?? [])
  fetches = undefined
  await Promise.race([arrived, new Promise((resolve) => setTimeout(resolve, WAIT_MS))])
}
