/* oxlint-disable jsx-a11y/prefer-tag-over-role -- HTML has no list of options with a search */
import type { KeyboardEvent } from 'react'
import { scrollIntoView } from '#src/lib/scroll-into-view.ts'
import css from './option-list.module.css'

export type ListedOption = {
  id: string
  label: string
  /** Beside the label, or below it where the line is too short: a subdomain, the present value of a filter. */
  hint?: string | undefined
  /** Options with the same group stand under one heading. */
  group?: string | undefined
  isChosen?: boolean
  onSelect: () => void
}

type Props = {
  id: string
  /** Accessible name: "Status". */
  label: string | undefined
  options: readonly ListedOption[]
  /** Index of the option that Enter selects; -1 without one. */
  active: number
  /** Shown without options. */
  emptyText: string
  /** Shown below the options: more results exist. */
  moreText?: string | undefined
  onKeyDown: (event: KeyboardEvent) => void
}

/** The options of a search field (WAI-ARIA combobox pattern). The focus stays in the field. */
export function OptionList({ id, label: name, options, active, emptyText, moreText, onKeyDown }: Props) {
  return (
    <>
      <div id={id} role="listbox" aria-label={name} className={css.options}>
        {options.map(({ id: key, label, hint, group, isChosen = false, onSelect }, index) => (
          <div key={key} role="presentation">
            {group !== undefined && group !== options[index - 1]?.group && (
              <div className={css.group} role="presentation">
                {group}
              </div>
            )}
            <div
              id={optionId(id, index)}
              ref={index === active ? scrollIntoView : undefined}
              className={`${css.option} ${index === active ? css.active : ''}`}
              role="option"
              tabIndex={-1}
              aria-selected={isChosen}
              onPointerDown={(event) => event.preventDefault()}
              onMouseDown={(event) => event.preventDefault()}
              onClick={onSelect}
              onKeyDown={onKeyDown}
            >
              <span className={css.label} dir="auto">
                {label}
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
      {options.length === 0 && (
        <p className={css.note} role="status">
          {emptyText}
        </p>
      )}
      {moreText !== undefined && (
        <p className={css.note} role="status">
          {moreText}
        </p>
      )}
    </>
  )
}

/** Id of the element of an option, for `aria-activedescendant` of the field. */
export function optionId(listId: string, index: number): string {
  return `${listId}-${index}`
}
