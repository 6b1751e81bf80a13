/* oxlint-disable jsx-a11y/prefer-tag-over-role -- HTML has no list controlled by a separate text box */
import { Modal, useMantineColorScheme } from '@mantine/core'
import '@mantine/core/styles/Modal.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import { useDebouncedValue } from '@mantine/hooks'
import { SEARCH_MAX } from '@switchboard/contract/wire/lists'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { focusOnMount, useFocusReturn } from '#src/ui/dialog/use-focus-return.ts'
import { messageOf } from '#src/lib/call-error.ts'
import { scrollIntoView } from '#src/lib/scroll-into-view.ts'
import { type Entry, groupsOf } from './entries.ts'
import { searchQuery } from './palette.api.ts'
import css from './palette-dialog.module.css'

const SEARCH_AFTER_MS = 120

type Props = {
  /** Text typed while the palette was loading, and whether Enter was pressed. */
  early: { typed: string; isEntered: boolean }
  onClose: () => void
  onHelp: () => void
}

/** Command palette: navigation and actions by typing (WAI-ARIA combobox pattern). */
export function PaletteDialog({ early, onClose, onHelp }: Props) {
  useFocusReturn()
  const id = useId()
  const { history } = useRouter()
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const [typed, setTyped] = useState(early.typed)
  const [active, setActive] = useState(0)
  // Enter came before the answer: the shown results belong to an earlier term.
  const [isEnterPending, setIsEnterPending] = useState(early.isEntered)
  const term = typed.trim()
  const [searched] = useDebouncedValue(term, SEARCH_AFTER_MS)
  const results = useQuery(searchQuery(searched))
  const isSearching = term !== searched || results.isFetching
  // Results of the previous term stay until the next answer, except for an empty term.
  const groups = groupsOf(term, term === '' ? undefined : results.data, { openHelp: onHelp, setColorScheme })
  const entries = groups.flatMap((group) => group.entries)
  const current = entries[Math.min(active, entries.length - 1)]
  const isStale = isSearching && (current === undefined || current.isFound === true)

  function choose(entry: Entry) {
    onClose()
    if ('run' in entry) entry.run()
    else history.push(entry.href)
  }

  useEffect(() => {
    if (isEnterPending && !isStale && current !== undefined) choose(current)
  })

  function press(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    const index = current === undefined ? 0 : entries.indexOf(current)
    const targets: Record<string, number> = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }
    const target = targets[event.key]
    if (target !== undefined && (event.key.startsWith('Arrow') || typed === '')) {
      event.preventDefault()
      setActive((target + entries.length) % Math.max(1, entries.length))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (isStale) setIsEnterPending(true)
      else if (current !== undefined) choose(current)
    }
  }

  return (
    <Modal.Root
      opened
      onClose={onClose}
      size={600}
      radius={14}
      lockScroll={false}
      transitionProps={{ duration: 0 }}
      classNames={{ content: css.content, inner: css.inner }}
    >
      <Modal.Overlay color="var(--backdrop)" backgroundOpacity={1} />
      <Modal.Content aria-label="Search and commands">
        <div className={css.box}>
          <IconSearch size={18} aria-hidden />
          <input
            ref={focusOnMount}
            className={css.input}
            role="combobox"
            aria-label="Search tenants, users, keys, screens and actions"
            aria-autocomplete="list"
            aria-expanded={entries.length > 0}
            aria-controls={`${id}-list`}
            aria-activedescendant={current && `${id}-${current.id}`}
            placeholder="Search or jump to…"
            autoComplete="off"
            spellCheck={false}
            dir="auto"
            maxLength={SEARCH_MAX}
            value={typed}
            data-autofocus
            onKeyDown={press}
            onChange={(event) => {
              setTyped(event.currentTarget.value)
              setActive(0)
              setIsEnterPending(false)
            }}
          />
          <kbd className={css.key}>esc</kbd>
        </div>
        <div id={`${id}-list`} className={css.list} role="listbox" aria-label="Results" aria-busy={isSearching}>
          {groups.map(({ heading, entries: ofGroup }) => (
            <div key={heading} role="group" aria-label={heading} className={css.group}>
              <div className={css.heading} aria-hidden>
                {heading}
              </div>
              {ofGroup.map((entry) => (
                <div
                  key={entry.id}
                  id={`${id}-${entry.id}`}
                  ref={entry === current ? scrollIntoView : undefined}
                  className={css.entry}
                  role="option"
                  tabIndex={-1}
                  aria-selected={entry === current}
                  // Keyboard focus stays in the text box.
                  onMouseDown={(event) => event.preventDefault()}
                  // Ignore events of a resting pointer above a moving list.
                  onMouseMove={({ movementX, movementY }) => {
                    if (movementX !== 0 || movementY !== 0) setActive(entries.indexOf(entry))
                  }}
                  onClick={() => choose(entry)}
                  onKeyDown={press}
                >
                  <entry.Icon size={18} stroke={1.75} className={css.icon} aria-hidden />
                  <bdi className={css.label}>{entry.label}</bdi>
                  <bdi className={css.hint}>{entry.hint}</bdi>
                </div>
              ))}
            </div>
          ))}
        </div>
        <div className={css.foot} role="status">
          {results.isError && term !== ''
            ? messageOf(results.error, 'The search failed.')
            : entries.length > 0
              ? 'Paste an ID, a masked key or a leaked secret to find its owner.'
              : isSearching
                ? 'Searching…'
                : `No results for “${term}”.`}
        </div>
      </Modal.Content>
    </Modal.Root>
  )
}
