import { createTheme } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'

/** What Mantine needs in code. Its colours and sizes are variables in `styles/tokens.css`. */
export const theme = createTheme({
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Nearly every field is required; what is not says so in its hint.
    InputWrapper: { defaultProps: { withAsterisk: false } },
    NativeSelect: { defaultProps: { rightSection: <IconChevronDown size={14} aria-hidden />, rightSectionWidth: 30 } },
  },
})
