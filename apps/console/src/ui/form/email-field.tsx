import { TextInput, type TextInputProps } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'

/**
 * An email address. No `type="email"`: browsers rewrite an internationalized domain that was typed there, and refuse letters
 * beyond ASCII before the "@". The form's own check has the whole rule.
 */
export function EmailField(props: TextInputProps) {
  return <TextInput {...props} inputMode="email" autoCapitalize="none" autoCorrect="off" spellCheck={false} required />
}
