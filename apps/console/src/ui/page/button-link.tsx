import { Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, Ref } from 'react'

type Props = ButtonProps &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof ButtonProps> & { ref?: Ref<HTMLAnchorElement> }

function ButtonAnchor(props: Props) {
  return <Button component="a" {...props} />
}

/** A link to a route that looks like a button: it opens in a new tab when asked to, and prefetches on hover. */
export const ButtonLink = createLink(ButtonAnchor)
