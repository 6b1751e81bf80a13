import { type LinkOptions, useLocation, useMatches, useNavigate } from '@tanstack/react-router'
import { ActionIcon } from '@mantine/core'
import { IconCircleCheck, IconX } from '@tabler/icons-react'
import { focusTitle, NEXT_STEPS_ID } from '#src/ui/dialog/use-focus-return.ts'
import { ButtonLink } from '#src/ui/button/button-link.tsx'
import css from './arrival-notice.module.css'

type NextStep = LinkOptions & { label: string }
/** The result of an action, and the steps that usually follow. In the state of a history entry: it survives a reload. */
export type Arrival = { done: string; next: NextStep[] }

const DONE_ID = 'next-steps-done'

/** Shown on the page to which a form leads, until it is closed or another page is opened. */
export function ArrivalNotice() {
  const { state, pathname } = useLocation()
  // Compares with the page on screen, because on a slow machine the form stays visible for a moment after the address
  // has changed.
  const shown = useMatches({ select: (matches) => matches.at(-1)?.pathname })
  const { arrival } = state
  const navigate = useNavigate()
  if (arrival === undefined || withoutSlash(shown) !== withoutSlash(pathname)) return null

  function close() {
    focusTitle()
    void navigate({ to: '.', search: true, replace: true, resetScroll: false })
  }
  return (
    <section id={NEXT_STEPS_ID} aria-label="Next steps" aria-describedby={DONE_ID} tabIndex={-1} className={css.notice}>
      <IconCircleCheck size={18} aria-hidden className="ink-ok" />
      <output id={DONE_ID} className="wrap">
        {arrival.done}
      </output>
      <div className={css.next}>
        {arrival.next.map(({ label, ...link }, n) => (
          <ButtonLink key={label} {...link} variant={n === 0 ? 'filled' : 'default'}>
            {label}
          </ButtonLink>
        ))}
      </div>
      <ActionIcon variant="subtle" color="gray" aria-label="Close" onClick={close}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </section>
  )
}

function withoutSlash(path = ''): string {
  return path.replace(/\/$/, '')
}
