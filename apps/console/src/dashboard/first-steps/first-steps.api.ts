import { getFirstSteps } from '@switchboard/contract/dashboard'
import type { FirstSteps } from '@switchboard/contract/dashboard/first-steps'
import { queryOptions } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#src/lib/call.ts'
import { storedFirstStepsHidden } from '#src/lib/storage.ts'

/** The first call comes from elsewhere, so only a repeated query notices it. */
const WAITING_MS = 5_000

export const firstStepsQuery = queryOptions({
  queryKey: ['firstSteps'],
  queryFn: ({ signal }) => call(getFirstSteps, { signal }),
  refetchInterval: ({ state: { data } }) => data?.has_key === true && data.calls !== 'accepted' && WAITING_MS,
})

/**
 * Whether the dashboard shows the first steps: until all are done or an admin hides them on this device. Shown steps stay
 * until they are closed, because their disappearance would move the page.
 */
export function useGuide(steps: FirstSteps | undefined): { isShown: boolean; hide: () => void } {
  const [isHidden, setIsHidden] = useState(() => storedFirstStepsHidden.get() !== null)
  const [wasShown, setWasShown] = useState(false)
  const isNeeded = steps !== undefined && (steps.tenant === null || (!isHidden && !areDone(steps)))
  if (isNeeded && !wasShown) setWasShown(true)
  return {
    isShown: isNeeded || (wasShown && !isHidden),
    hide: () => {
      storedFirstStepsHidden.set('1')
      setIsHidden(true)
    },
  }
}

function areDone({ tenant, has_user, has_key, calls, has_task }: FirstSteps): boolean {
  return tenant !== null && has_user && has_key && calls === 'accepted' && has_task
}
