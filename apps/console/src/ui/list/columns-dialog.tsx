import { Button } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { Dialog, DialogFooter, DialogMain } from '#src/ui/dialog/dialog.tsx'
import { CheckField } from '#src/ui/form/check-field.tsx'
import type { ArrangedColumn } from '#src/ui/table/arrange-columns.ts'
import css from './columns-dialog.module.css'

type Props = {
  arranged: readonly ArrangedColumn[]
  onChange: (arranged: ArrangedColumn[]) => void
  onReset: () => void
  onClose: () => void
}

/** Chooses the columns of a list and their order. A change applies at once. The first column names the record and stays. */
export function ColumnsDialog({ arranged, onChange, onReset, onClose }: Props) {
  function move(from: number, to: number) {
    const moved = arranged[from]
    if (moved !== undefined) onChange(arranged.toSpliced(from, 1).toSpliced(to, 0, moved))
  }

  return (
    <Dialog title="Columns" size="sm" onClose={onClose}>
      <DialogMain>
        <ul>
          {arranged.map((one, index) => {
            const { head } = one
            return (
              <li key={one.id} className={css.column}>
                <CheckField
                  label={head}
                  checked={one.isShown}
                  disabled={index === 0}
                  onChange={(checked) => onChange(arranged.with(index, { ...one, isShown: checked }))}
                />
                <div className={css.moves}>
                  {index > 0 && (
                    <>
                      <MoveButton
                        label={`Move ${head} up`}
                        isLast={index === 1}
                        Icon={IconChevronUp}
                        onMove={() => move(index, index - 1)}
                      />
                      <MoveButton
                        label={`Move ${head} down`}
                        isLast={index === arranged.length - 1}
                        Icon={IconChevronDown}
                        onMove={() => move(index, index + 1)}
                      />
                    </>
                  )}
                </div>
              </li>
            )
          })}
        </ul>
      </DialogMain>
      <DialogFooter>
        <Button variant="default" onClick={onReset}>
          Reset
        </Button>
        <Button onClick={onClose} data-autofocus>
          Done
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

type MoveProps = { label: string; isLast: boolean; Icon: typeof IconChevronUp; onMove: () => void }

/** Not disabled at the end: a disabled button would lose the focus. */
function MoveButton({ label, isLast, Icon, onMove }: MoveProps) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      aria-disabled={isLast}
      onClick={isLast ? undefined : onMove}
    >
      <Icon size={16} aria-hidden />
    </button>
  )
}
