import { TextInput, type TextInputProps } from '@mantine/core'

/**
 * An input for an email address without `type="email"`, because browsers would rewrite internationalized domains and
 * refuse letters beyond ASCII before the "@". The form checks the address instead.
 */
export function EmailField(props: TextInputProps) {
  return <TextInput {...props} inputMode="email" autoCapitalize="none" autoCorrect="off" spellCheck={false} required />
}
