import { useMediaQuery } from '@mantine/hooks'

/**
 * Whether the window is at most `width` pixels wide; by default the width of a phone, the same as in the CSS modules.
 */
export function useIsPhone(width = 640): boolean {
  // Without an effect, so that the first render is right.
  return useMediaQuery(`(max-width: ${width}px)`, false, { getInitialValueInEffect: false })
}
