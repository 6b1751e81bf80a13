import { createTheme, MantineContext, MantineThemeProvider } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import type { ReactNode } from 'react'

/** What Mantine needs in code. Its colours and sizes are variables in `styles/tokens.css`. */
const theme = createTheme({
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Nearly every field is required; what is not says so in its hint.
    InputWrapper: { defaultProps: { withAsterisk: false } },
    NativeSelect: { defaultProps: { rightSection: <IconChevronDown size={14} aria-hidden />, rightSectionWidth: 30 } },
  },
})

// The colour scheme is not Mantine's to keep: lib/color-scheme.ts sets the attribute that its styles look at.
const context = {
  colorScheme: 'auto',
  setColorScheme: () => {},
  clearColorScheme: () => {},
  getRootElement: () => document.documentElement,
  classNamesPrefix: 'mantine',
  cssVariablesSelector: ':root',
  withStaticClasses: true,
} as const

/**
 * In place of `MantineProvider`, which brings 3 kB of script, gzipped, to write <style> elements and colour schemes:
 * the former is forbidden by the browser policy, the latter is ours.
 */
export function ThemeProvider({ children }: { children: ReactNode }) {
  return (
    <MantineContext value={context}>
      <MantineThemeProvider theme={theme}>{children}</MantineThemeProvider>
    </MantineContext>
  )
}
