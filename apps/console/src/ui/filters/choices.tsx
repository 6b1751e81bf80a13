import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { focusOnMount } from '#src/ui/dialog/use-focus-return.ts'
import { type ListedOption, optionId, OptionList } from '#src/ui/field/option-list.tsx'
import { useIsPhone } from '#src/ui/page/use-is-phone.ts'
import css from './choices.module.css'

type Props = {
  /** Accessible name of the options: "Status". */
  label: string
  placeholder: string
  term: string
  onTerm: (term: string) => void
  choices: readonly ListedOption[]
  emptyText: string
  moreText?: string | undefined
  /** Backspace without a term. */
  onBack?: (() => void) | undefined
  onClose: () => void
  /** Shown below the options. */
  children?: ReactNode
}

/**
 * Options with a search field above them. On a phone the field has no focus at first, because it would open the keyboard
 * over the options.
 */
export function Choices(props: Props) {
  const { label, placeholder, term, onTerm, choices, emptyText, moreText, onBack, onClose, children } = props
  const listId = useId()
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
        aria-controls={listId}
        aria-activedescendant={choices[active] ? optionId(listId, active) : undefined}
        className={css.field}
        value={term}
        onKeyDown={press}
        onChange={(event) => onTerm(event.currentTarget.value)}
      />
      <OptionList
        id={listId}
        label={label}
        options={choices}
        active={active}
        emptyText={emptyText}
        moreText={moreText}
        onKeyDown={press}
      />
      {children}
    </>
  )
}
