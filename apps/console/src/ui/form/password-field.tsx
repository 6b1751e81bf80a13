import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useState } from 'react'

type Props = Omit<PasswordInputProps, 'visible' | 'onVisibilityChange' | 'visibilityToggleButtonProps'>

/** A password with a button that shows the text, also by keyboard. */
export function PasswordField(props: Props) {
  const [visible, setVisible] = useState(false)
  return (
    <PasswordInput
      {...props}
      required
      aria-invalid={props.error ? true : undefined}
      visible={visible}
      onVisibilityChange={setVisible}
      visibilityToggleButtonProps={{ 'aria-label': visible ? 'Hide password' : 'Show password', tabIndex: 0 }}
    />
  )
}
