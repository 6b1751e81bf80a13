import { Modal } from '@mantine/core'
import { SEARCH_MAX } from '@switchboard/contract/wire/lists'
import { IconArrowLeft, IconSearch } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { counted } from '#src/lib/format/count.ts'
import { focusOnMount, useFocusReturn } from '#src/ui/dialog/use-focus-return.ts'
import { Announcement } from '#src/ui/notice/announcement.tsx'
import { type Entry, type Group, matching } from './entry.ts'
import css from './palette-dialog.module.css'
import { PaletteFoot } from './palette-foot.tsx'
import { optionId, PaletteList } from './palette-list.tsx'
import { remember } from './recent.ts'
import { usePaletteGroups } from './use-palette-groups.ts'

type Props = {
  /** Text typed while the palette was loading, and whether Enter was pressed. */
  early: { typed: string; isEntered: boolean }
  onClose: () => void
  onHelp: () => void
}

type Step = { typed: string; active: number }

/**
 * Command palette: navigation and actions by typing (WAI-ARIA combobox pattern). The second step has the actions of a
 * record that the first step found.
 */
export function PaletteDialog({ early, onClose, onHelp }: Props) {
  useFocusReturn()
  const id = useId()
  const { history } = useRouter()
  const [first, setFirst] = useState<Step>({ typed: early.typed, active: 0 })
  const [second, setSecond] = useState<(Step & { of: Entry }) | null>(null)
  // Enter came before the answer: the shown entries belong to an earlier term, or a placeholder was chosen.
  const [pending, setPending] = useState<{ placeholder: string | null } | null>(
    early.isEntered ? { placeholder: null } : null,
  )
  const { term, groups: found, isSearching, failed } = usePaletteGroups(first.typed, onHelp)
  const groups = second === null ? found : actionGroups(second.of, second.typed)
  const { typed, active } = second ?? first
  const entries = groups.flatMap((group) => group.entries)
  const current = entries[Math.min(active, entries.length - 1)]
  const isStale =
    current?.source === 'placeholder' || (isSearching && (current === undefined || current.source === 'result'))

  function change(step: Partial<Step>) {
    if (second === null) setFirst({ ...first, ...step })
    else setSecond({ ...second, ...step })
  }

  function showActions(entry: Entry) {
    setFirst({ ...first, active: Math.max(0, entries.indexOf(entry)) })
    setSecond({ of: entry, typed: '', active: 0 })
  }

  function choose(entry: Entry) {
    const used = second === null ? entry.recentId : second.of.recentId
    if (used !== undefined) remember(used)
    onClose()
    if ('run' in entry) entry.run()
    else history.push(entry.href, entry.action && { action: entry.action })
  }

  function enter() {
    if (isStale) setPending({ placeholder: current?.source === 'placeholder' ? current.id : null })
    else if (current !== undefined) choose(current)
  }

  useEffect(() => {
    if (pending === null || isStale || current === undefined) return
    // A record that no longer exists is not replaced by the next entry.
    if ((pending.placeholder ?? current.id) === current.id) choose(current)
  })

  function press(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    const act = keyAction(event)
    if (act === undefined) return
    event.preventDefault()
    act()
  }

  /** The effect of a key; undefined for a key of the text box. */
  function keyAction(event: KeyboardEvent): (() => void) | undefined {
    const { key, shiftKey } = event
    const index = current === undefined ? 0 : entries.indexOf(current)
    const targets: Record<string, number> = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }
    const target = targets[key]
    if (target !== undefined && (key.startsWith('Arrow') || typed === ''))
      return () => change({ active: (target + entries.length) % Math.max(1, entries.length) })
    if (key === 'Enter') return enter
    if (second === null) {
      if (current?.actions === undefined || isStale) return undefined
      return key === forwardKey(event.currentTarget) || (key === 'Tab' && !shiftKey)
        ? () => showActions(current)
        : undefined
    }
    const isBack = typed === '' && (key === 'Backspace' || key === backwardKey(event.currentTarget))
    return isBack || key === 'Escape' || (key === 'Tab' && shiftKey) ? () => setSecond(null) : undefined
  }

  return (
    <Modal.Root
      opened
      onClose={onClose}
      closeOnEscape={second === null}
      size={640}
      radius={14}
      lockScroll={false}
      transitionProps={{ duration: 0 }}
      classNames={{ content: css.content, inner: css.inner }}
    >
      <Modal.Overlay color="var(--backdrop)" backgroundOpacity={1} />
      <Modal.Content aria-label="Search and commands">
        <div className={css.box}>
          {second === null ? (
            <IconSearch size={18} aria-hidden />
          ) : (
            <>
              <button
                type="button"
                className={css.back}
                tabIndex={-1}
                aria-label="Back to the results"
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => setSecond(null)}
              >
                <IconArrowLeft size={18} aria-hidden />
              </button>
              <bdi className={css.record}>{second.of.label}</bdi>
            </>
          )}
          <input
            ref={focusOnMount}
            className={css.input}
            role="combobox"
            aria-label={second === null ? 'Search records, screens and actions' : `Actions for ${second.of.label}`}
            aria-autocomplete="list"
            aria-expanded={entries.length > 0}
            aria-controls={`${id}-list`}
            aria-activedescendant={current && optionId(id, current)}
            placeholder={second === null ? 'Search or jump to…' : 'Choose an action…'}
            autoComplete="off"
            spellCheck={false}
            dir="auto"
            maxLength={SEARCH_MAX}
            value={typed}
            data-autofocus
            onKeyDown={press}
            onChange={(event) => {
              change({ typed: event.currentTarget.value, active: 0 })
              setPending(null)
            }}
          />
          <kbd className={css.key}>esc</kbd>
        </div>
        <PaletteList
          id={id}
          label={second === null ? 'Results' : 'Actions'}
          groups={groups}
          current={current}
          busy={isSearching}
          onMove={(entry) => change({ active: entries.indexOf(entry) })}
          onChoose={choose}
          onActions={showActions}
          onKeyDown={press}
        />
        <PaletteFoot
          term={second === null ? term : null}
          isEmpty={entries.length === 0}
          isSearching={isSearching}
          failed={second === null ? failed : null}
          record={second === null && !isStale && current?.actions !== undefined ? current : null}
          onActions={showActions}
        />
        <Announcement>
          {isSearching || typed === '' ? second && actionCount(second.of) : countsText(groups)}
        </Announcement>
      </Modal.Content>
    </Modal.Root>
  )
}

function actionGroups({ label, actions = [] }: Entry, typed: string): Group[] {
  const entries = matching(actions, typed.trim())
  return entries.length === 0 ? [] : [{ heading: `Actions for ${label}`, entries }]
}

/** The arrow towards the second step, at the end of the text only: elsewhere it moves the cursor. */
function forwardKey(box: Element): string | null {
  const isAtEnd = box instanceof HTMLInputElement && box.selectionStart === box.value.length
  if (!isAtEnd) return null
  return box.matches(':dir(rtl)') ? 'ArrowLeft' : 'ArrowRight'
}

function backwardKey(box: Element): string {
  return box.matches(':dir(rtl)') ? 'ArrowRight' : 'ArrowLeft'
}

function actionCount({ label, actions = [] }: Entry): string {
  return `${counted(actions.length, 'action')} for ${label}`
}

/** "Tenants 3, Users 20+" */
function countsText(groups: Group[]): string {
  return groups.map(({ heading, count, entries }) => `${heading} ${count ?? entries.length}`).join(', ')
}
