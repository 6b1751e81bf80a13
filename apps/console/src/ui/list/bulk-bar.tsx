import { Button, CloseButton } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { countText, totalText } from '#src/lib/format/count.ts'
import type { Bulk } from '#src/lists/list-api.ts'
import { notifyFailure } from '#src/lib/notify.ts'
import type { Selection } from '#src/lists/selection.ts'
import { Announcement } from '#src/ui/notice/announcement.tsx'
import css from './bulk-bar.module.css'
import { BulkDialog } from './bulk-dialog.tsx'
import { focusRow, focusTitle } from '#src/ui/dialog/use-focus-return.ts'
import { isPlainKey } from '#src/lib/input/single-keys.ts'

type Props = {
  bulk: Bulk
  selection: Selection
  /** Text of the total of the list, if it is known. */
  total: string | undefined
}

/** The actions on the selected rows, above the bottom of the window while any row is selected. */
export function BulkBar({ bulk, selection, total }: Props) {
  const { actions, matchingIds } = bulk
  const shown = actions
    .filter(({ isHidden }) => isHidden !== true)
    .toSorted((one, other) => Number(one.isDanger) - Number(other.isDanger))
  const [openAction, setOpenAction] = useState<Bulk['actions'][number] | null>(null)
  const [isSelecting, setIsSelecting] = useState(false)
  const bar = useRef<HTMLElement>(null)
  const countShown = useRef<HTMLSpanElement>(null)
  const count = `${countText(selection.ids.size)} selected`
  const isAll = total !== undefined && !total.endsWith('+') && Number.parseInt(total, 10) <= selection.ids.size
  const canHaveMore = !selection.isByFilter && !isAll

  async function selectAll() {
    // The button disappears when all rows are selected.
    countShown.current?.focus()
    setIsSelecting(true)
    try {
      selection.setAll(await matchingIds())
    } catch (error) {
      notifyFailure(error, 'The rows could not be selected.', { onRetry: () => void selectAll() })
    } finally {
      setIsSelecting(false)
    }
  }

  function clear() {
    if (bar.current?.contains(document.activeElement) && !focusRow()) focusTitle()
    selection.clear()
  }

  const clearByKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape' && isPlainKey(event)) clear()
  })
  useEffect(() => {
    // Capture: before Escape has closed a dialog.
    const listen = (event: KeyboardEvent) => clearByKey(event)
    window.addEventListener('keydown', listen, true)
    return () => window.removeEventListener('keydown', listen, true)
  }, [])

  return (
    <section ref={bar} className={css.bar} aria-label="Selection">
      <Announcement>{count}</Announcement>
      <span ref={countShown} className={css.count} tabIndex={-1}>
        {count}
      </span>
      {canHaveMore && (
        <button type="button" className={css.all} disabled={isSelecting} onClick={() => void selectAll()}>
          Select All {total !== undefined && totalText(total)}
        </button>
      )}
      <div className={css.actions}>
        {shown.map((action) => (
          <Button
            key={action.name}
            variant="subtle"
            color={action.isDanger ? 'red' : 'gray'}
            className={action.isDanger ? 'ink-bad' : 'ink-2'}
            // The dialog would be about the rows that were selected before.
            disabled={isSelecting}
            onClick={() => setOpenAction(action)}
          >
            {/* Each of them asks first. */}
            {action.label}…
          </Button>
        ))}
      </div>
      <CloseButton aria-label="Clear selection" className={css.clear} onClick={clear} />
      {openAction && (
        <BulkDialog
          bulk={bulk}
          action={openAction}
          selection={selection}
          onClose={(hasStarted) => {
            setOpenAction(null)
            if (hasStarted) selection.clear()
          }}
        />
      )}
    </section>
  )
}
