import type { ReactNode } from 'react'
import css from './tabs.module.css'

/** Links to the tabs of a page. On a phone they scroll sideways. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav ref={showCurrent} aria-label={label} className={css.tabs}>
      {children}
    </nav>
  )
}

/** The number of records of a tab. */
export function TabCount({ children }: { children: ReactNode }) {
  return <span className={css.count}>{children}</span>
}

function showCurrent(tabs: HTMLElement | null): void {
  tabs?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
