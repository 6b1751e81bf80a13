import { IconCloudOff } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { isConnectionLost, onConnectionChange } from '#src/lib/connection.ts'
import css from './connection-bar.module.css'

/** Shows a lost connection over the top edge of the page until the server answers. Causes no layout shift. */
export function ConnectionBar() {
  const isLost = useSyncExternalStore(onConnectionChange, isConnectionLost)
  return (
    // An `output` has the role "status". Always rendered: screen readers announce only changes of an existing region.
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
