import { Button, type ButtonProps } from '@mantine/core'
import { useLayoutEffect, useRef } from 'react'

/** Submit button of a page's form. Stays enabled while busy, because a disabled button loses the keyboard focus. */
export function SubmitButton({ loading, ...props }: ButtonProps & { loading: boolean }) {
  const ref = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const button = ref.current
    // The browser moves the focus off a disabled element only with the next frame.
    if (!loading || document.activeElement !== button) return undefined
    return () => {
      if (document.activeElement === document.body) button?.focus({ preventScroll: true })
    }
  }, [loading])
  return <Button ref={ref} type="submit" loading={loading} {...props} />
}
