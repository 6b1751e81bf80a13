/* oxlint-disable jsx-a11y/prefer-tag-over-role -- HTML has no list of options with a search */
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { focusOnMount } from '#src/ui/dialog/use-focus-return.ts'
import { scrollIntoView } from '#src/lib/scroll-into-view.ts'
import { useIsPhone } from '#src/ui/page/use-is-phone.ts'
import css from './choices.module.css'

/** A line of the menu. Lines with the same `group` stand under one heading. */
export type Choice = {
  id: string
  label: string
  /** Beside the label: the present value of a filter. */
  hint?: string | undefined
  group?: string | undefined
  isChosen?: boolean
  onSelect: () => void
}

type Props = {
  /** Accessible name of the options: "Status". */
  label: string
  placeholder: string
  term: string
  onTerm: (term: string) => void
  choices: readonly Choice[]
  emptyText: string
  moreText?: string | undefined
  /** Backspace without a term. */
  onBack?: (() => void) | undefined
  onClose: () => void
  /** Shown below the options. */
  children?: ReactNode
}

/**
 * Options with a search field above them (WAI-ARIA combobox pattern): the focus stays in the field. On a phone the field
 * has no focus at first, because it would open the keyboard over the options.
 */
export function Choices(props: Props) {
  const { label, placeholder, term, onTerm, choices, emptyText, moreText, onBack, onClose, children } = props
  const id = useId()
  const isPhone = useIsPhone()
  // Null before an arrow key: the active option is then the chosen one, or the first result of a search.
  const [moved, setMoved] = useState<{ term: string; to: number } | null>(null)
  const chosen = term === '' ? choices.findIndex(({ isChosen }) => isChosen) : 0
  const active = Math.min(moved?.term === term ? moved.to : Math.max(0, chosen), choices.length - 1)

  function press(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && choices.length > 0) {
      event.preventDefault()
      setMoved({ term, to: (active + step + choices.length) % choices.length })
    } else if (event.key === 'Enter') {
      event.preventDefault()
      choices[active]?.onSelect()
    } else if (event.key === 'Backspace' && term === '') {
      onBack?.()
    } else if (event.key === 'Escape') {
      onClose()
    }
  }

  return (
    <>
      <input
        ref={isPhone ? undefined : focusOnMount}
        type="text"
        role="combobox"
        autoComplete="off"
        spellCheck={false}
        aria-label={placeholder}
        placeholder={placeholder}
        aria-autocomplete="list"
        aria-expanded
        aria-controls={`${id}-options`}
        aria-activedescendant={choices[active] ? `${id}-${active}` : undefined}
        className={css.field}
        value={term}
        onKeyDown={press}
        onChange={(event) => onTerm(event.currentTarget.value)}
      />
      <div id={`${id}-options`} role="listbox" aria-label={label} className={css.options}>
        {choices.map(({ id: key, label: text, hint, group, isChosen = false, onSelect }, index) => (
          <div key={key} role="presentation">
            {group !== undefined && group !== choices[index - 1]?.group && (
              <div className={css.group} role="presentation">
                {group}
              </div>
            )}
            <div
              id={`${id}-${index}`}
              ref={index === active ? scrollIntoView : undefined}
              className={`${css.option} ${index === active ? css.active : ''}`}
              role="option"
              tabIndex={-1}
              aria-selected={isChosen}
              // The focus stays in the field.
              onPointerDown={(event) => event.preventDefault()}
              onMouseDown={(event) => event.preventDefault()}
              onClick={onSelect}
              onKeyDown={press}
            >
              <span className={css.label} dir="auto">
                {text}
              </span>
              {hint !== undefined && (
                <span className={css.hint} dir="auto">
                  {hint}
                </span>
              )}
            </div>
          </div>
        ))}
      </div>
      {choices.length === 0 && (
        <p className={css.note} role="status">
          {emptyText}
        </p>
      )}
      {moreText !== undefined && (
        <p className={css.note} role="status">
          {moreText}
        </p>
      )}
      {children}
    </>
  )
}
