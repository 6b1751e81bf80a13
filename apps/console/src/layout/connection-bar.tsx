import { IconCloudOff } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { isConnectionLost, onConnectionChange } from '#src/lib/connection.ts'
import css from './connection-bar.module.css'

/** Says that the server does not answer, over the top edge of the page, until it does. It moves and covers nothing. */
export function ConnectionBar() {
  const isLost = useSyncExternalStore(onConnectionChange, isConnectionLost)
  return (
    // An `output` has the role "status". The region is always there, so that screen readers announce what appears in it.
    <output className={css.place}>
      {isLost && (
        <div className={css.bar}>
          <IconCloudOff size={14} aria-hidden />
          Connection lost. Trying again…
        </div>
      )}
    </output>
  )
}
