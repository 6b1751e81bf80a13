import { useMediaQuery } from '@mantine/hooks'

/** Whether the window has the width of a phone. The same width as in the CSS modules. */
export function useIsPhone(): boolean {
  // Without an effect, so that the first render is right.
  return useMediaQuery('(max-width: 640px)', false, { getInitialValueInEffect: false })
}
