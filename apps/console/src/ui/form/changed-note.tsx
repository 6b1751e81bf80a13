import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { RelativeTime } from '#src/ui/time/relative-time.tsx'
import css from './changed-note.module.css'
import type { FormFrame } from './use-form-frame.ts'

type Props = { form: Pick<FormFrame, 'about' | 'changedByOthers'> }

/** How often the age of the change is written again. */
const TICK_MS = 15_000

/**
 * Tells that others have changed or deleted the record of an open form, before the save meets the conflict. Its place beside
 * the buttons, or above them in a narrow form, is kept free, so that it covers nothing and moves no field.
 */
export function ChangedNote({ form: { about, changedByOthers: change } }: Props) {
  const [, setTicks] = useState(0)
  useEffect(() => {
    if (change === undefined) return undefined
    const timer = setInterval(() => setTicks((ticks) => ticks + 1), TICK_MS)
    return () => clearInterval(timer)
  }, [change])
  if (about === undefined) return null
  const person = change?.isOwnAccount ? 'You, in another tab or on another device,' : (change?.by ?? 'The system')
  return (
    // Always rendered: screen readers announce only changes of an existing region. They do not hear the time, which moves on.
    <output className={css.note}>
      {change && (
        <>
          <IconAlertTriangle size={14} aria-hidden />
          <span className={css.text}>
            {person} {change.version === null ? 'deleted' : 'changed'} this {about.noun}
            <span aria-hidden>
              {' '}
              <RelativeTime moment={change.at} />
            </span>
            .
          </span>
        </>
      )}
    </output>
  )
}
