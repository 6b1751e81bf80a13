import type { ReactNode } from 'react'
import { Bar } from '#src/ui/page/skeleton-items.tsx'
import css from './facts.module.css'

/** Terms with their values, in two columns. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={css.facts}>{children}</dl>
}

/** A term with its value, or a placeholder while the value is undefined. */
export function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <>
      <dt>{term}</dt>
      <dd>{children === undefined ? <Bar width="50%" /> : children}</dd>
    </>
  )
}
