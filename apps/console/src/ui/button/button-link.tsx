import { Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, Ref } from 'react'

type Props = ButtonProps &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof ButtonProps> & { ref?: Ref<HTMLAnchorElement> }

function ButtonAnchor(props: Props) {
  return <Button component="a" {...props} />
}

/** A link styled as a button, with prefetch on hover. */
export const ButtonLink = createLink(ButtonAnchor)
