import { Button } from '@mantine/core'
import { Fragment, useState } from 'react'
import { CheckField } from '#src/ui/form/check-field.tsx'
import { Dialog, DialogFooter, DialogMain } from '#src/ui/dialog/dialog.tsx'
import { useAllowed } from '#src/lib/can.ts'
import { storedKeysOff } from '#src/lib/storage.ts'
import { NAVIGATION, type NavigationEntry } from '#src/navigation.ts'
import { MODIFIER_KEY, PALETTE_KEYS_TEXT } from '#src/layout/shortcuts.ts'
import css from './shortcuts-dialog.module.css'

type Line = { label: string; keys: readonly string[] }

const groupsOf = (entries: NavigationEntry[]): { heading: string; lines: Line[] }[] => [
  {
    heading: 'Everywhere',
    lines: [
      { label: 'Search and commands', keys: PALETTE_KEYS_TEXT },
      { label: 'Actions of a found record', keys: ['→', 'or', 'Tab'] },
      { label: 'Undo the last change, for 10 seconds', keys: ['Z', 'or', MODIFIER_KEY, 'Z'] },
      { label: 'Close a dialog', keys: ['Esc'] },
      { label: 'Show shortcuts', keys: ['?'] },
    ],
  },
  {
    heading: 'In a list',
    lines: [
      { label: 'Search', keys: ['/'] },
      { label: 'Filter', keys: ['F'] },
      { label: 'Create', keys: ['C'] },
      { label: 'Next row', keys: ['↓', 'or', 'J'] },
      { label: 'Previous row', keys: ['↑', 'or', 'K'] },
      { label: 'First or last row', keys: ['Home', 'or', 'End'] },
      { label: 'Clear the selection', keys: ['Esc'] },
    ],
  },
  {
    heading: 'Go to',
    lines: entries.map(({ label, key }) => ({ label, keys: ['G', 'then', key.toUpperCase()] })),
  },
  {
    heading: 'On a row',
    lines: [
      { label: 'Open', keys: ['Enter'] },
      { label: 'Edit, if the row has this action', keys: ['E'] },
      { label: 'All actions', keys: ['.'] },
      { label: 'Links and buttons of the row', keys: ['→', 'or', '←'] },
      { label: 'Select', keys: ['X'] },
      { label: 'Select from the last selected row', keys: ['Shift', 'X'] },
    ],
  },
]

/** All keyboard shortcuts, with a switch for the single-key shortcuts. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const allowed = useAllowed()
  const [isOn, setIsOn] = useState(storedKeysOff.get() === null)
  return (
    <Dialog title="Keyboard Shortcuts" size="lg" onClose={onClose}>
      <DialogMain>
        <div className={css.groups}>
          {groupsOf(allowed<NavigationEntry>(NAVIGATION)).map(({ heading, lines }) => (
            <section key={heading}>
              <h3 className={css.heading}>{heading}</h3>
              <dl className={css.keys}>
                {lines.map(({ label, keys }) => (
                  <div key={label} className={css.line}>
                    <dt>{label}</dt>
                    <dd>
                      {keys.map((key, index) => (
                        // oxlint-disable-next-line react/no-array-index-key -- a key may appear twice
                        <Fragment key={index}>
                          {key === 'then' || key === 'or' ? ` ${key} ` : <kbd>{key}</kbd>}
                        </Fragment>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
        <div className={css.switch}>
          <CheckField
            label="Single-key shortcuts"
            help="Turn off if you use voice control or trigger them by accident."
            checked={isOn}
            onChange={(checked) => {
              if (checked) storedKeysOff.remove()
              else storedKeysOff.set('off')
              setIsOn(checked)
            }}
          />
        </div>
      </DialogMain>
      <DialogFooter>
        <Button data-autofocus onClick={onClose}>
          Done
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
