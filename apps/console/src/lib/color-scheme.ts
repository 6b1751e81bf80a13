import { isMantineColorScheme, type MantineColorSchemeManager } from '@mantine/core'
import { onStoredColorScheme, storeColorScheme, storedColorScheme } from '#src/session/session.ts'

let stopFollowing = () => {}

/** Keeps the chosen colour scheme on this device and follows the choice made in another tab. */
export const colorSchemeManager: MantineColorSchemeManager = {
  get: (fallback) => {
    const stored = storedColorScheme()
    return isMantineColorScheme(stored) ? stored : fallback
  },
  set: storeColorScheme,
  subscribe: (onUpdate) => {
    stopFollowing = onStoredColorScheme((stored) => onUpdate(isMantineColorScheme(stored) ? stored : 'auto'))
  },
  unsubscribe: () => stopFollowing(),
  clear: () => storeColorScheme('auto'),
}
