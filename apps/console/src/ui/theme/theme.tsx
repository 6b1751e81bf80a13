import { createTheme, localStorageColorSchemeManager } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { COLOR_SCHEME_KEY } from '#src/lib/storage.ts'

/** Mantine's settings. Colors and sizes are CSS variables in `styles/tokens.css`. */
export const theme = createTheme({
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Nearly every field is required. The hint of an optional field says so.
    InputWrapper: {
      defaultProps: { withAsterisk: false, inputWrapperOrder: ['label', 'input', 'error', 'description'] },
    },
    // Names and sentences may be right-to-left text.
    TextInput: { defaultProps: { dir: 'auto' } },
    Textarea: { defaultProps: { dir: 'auto' } },
    NativeSelect: { defaultProps: { rightSection: <IconChevronDown size={14} aria-hidden />, rightSectionWidth: 30 } },
  },
})

export const colorSchemeManager = localStorageColorSchemeManager({ key: COLOR_SCHEME_KEY })
