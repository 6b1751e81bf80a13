/* oxlint-disable jsx-a11y/prefer-tag-over-role -- HTML has no select with options from a server */
import { TextInput } from '@mantine/core'
import { IconSelector, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { scrollIntoView } from '#src/lib/scroll-into-view.ts'
import css from './search-select.module.css'

export type Choice = { value: string; label: string; hint?: string | undefined }

type Props = {
  label?: string
  'aria-label'?: string
  placeholder: string
  value: Choice | null
  /** Search results of the server. */
  choices: readonly Choice[]
  /** Shown without options. */
  emptyText: string
  /** Shown below the options: more results exist. */
  moreText?: string | undefined
  maxLength: number
  error?: ReactNode
  required?: boolean
  disabled?: boolean
  /** Allows an empty value, by deleting the text or by the clear button. */
  clearable?: boolean
  /** Renders the options in the flow, for a dialog that would clip an overlay. */
  pushesDown?: boolean
  onSearch: (term: string) => void
  /** Called on hover and focus, to prefetch the options. */
  onApproach?: () => void
  onOpen: () => void
  onChange: (value: string | null) => void
}

/** A select with a search on the server (WAI-ARIA combobox pattern). */
export function SearchSelect({
  value,
  choices,
  emptyText,
  moreText,
  clearable = false,
  pushesDown = false,
  onSearch,
  onApproach,
  onOpen,
  onChange,
  ...field
}: Props) {
  const id = useId()
  // Null without typed text: the input then shows the selected option.
  const [typed, setTyped] = useState<string | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  // Null before an arrow key: the active option is then the selected one, or the first search result.
  const [moved, setMoved] = useState<number | null>(null)
  const box = useRef<HTMLInputElement>(null)
  const label = value?.label ?? ''
  const isSearch = typed !== null || value === null
  // -1 if the selected option is not in the list: Enter must not select another one.
  const active = moved ?? (isSearch ? 0 : choices.findIndex((choice) => choice.value === value.value))

  // Selects the text of the value, also if the value arrives after the focus: typing replaces the text.
  useLayoutEffect(() => {
    if (typed === null && label !== '' && document.activeElement === box.current) box.current?.select()
  }, [typed, label])

  function open() {
    if (isOpen) return
    setIsOpen(true)
    setMoved(null)
    onOpen()
  }

  function close() {
    setIsOpen(false)
    setTyped(null)
    onSearch('')
  }

  function type(text: string) {
    open()
    setMoved(null)
    setTyped(text)
    onSearch(text.trim())
    if (text === '' && clearable && value !== null) onChange(null)
  }

  function choose(choice: Choice) {
    onChange(choice.value)
    close()
  }

  function press(event: KeyboardEvent) {
    const chosen = choices[active]
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (!isOpen) return open()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setMoved((Math.max(active, step === 1 ? -1 : 0) + step + choices.length) % Math.max(1, choices.length))
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault()
      if (chosen) choose(chosen)
    } else if (event.key === 'Escape' && isOpen) {
      close()
    }
  }

  return (
    <div className={`${css.box} ${pushesDown ? css.pushing : ''}`}>
      <TextInput
        {...field}
        ref={box}
        role="combobox"
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        aria-autocomplete="list"
        // Mantine's Modal ignores Escape on elements with this attribute: Escape closes only the options.
        data-mantine-stop-propagation={isOpen || undefined}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-activedescendant={isOpen && choices[active] ? `${id}-${active}` : undefined}
        value={typed ?? label}
        classNames={{ input: clearable && value !== null ? css.set : undefined }}
        rightSection={
          clearable && value !== null ? (
            <button
              type="button"
              className={css.clear}
              aria-label={`Clear ${field['aria-label'] ?? field.label}`}
              onClick={() => {
                onChange(null)
                box.current?.focus()
              }}
            >
              <IconX size={14} aria-hidden />
            </button>
          ) : (
            <IconSelector size={16} aria-hidden />
          )
        }
        rightSectionPointerEvents={clearable && value !== null ? 'all' : 'none'}
        onPointerEnter={onApproach}
        onFocus={(event) => {
          event.currentTarget.select()
          onApproach?.()
        }}
        onClick={open}
        onBlur={close}
        onKeyDown={press}
        onChange={(event) => type(event.currentTarget.value)}
      />
      {isOpen &&
        (choices.length === 0 ? (
          <div id={id} className={`${css.choices} ${css.empty}`} role="status">
            {emptyText}
          </div>
        ) : (
          <div ref={scrollIntoView} className={css.choices}>
            <div id={id} role="listbox" aria-label={field['aria-label'] ?? field.label}>
              {choices.map((choice, index) => (
                <div
                  key={choice.value}
                  id={`${id}-${index}`}
                  ref={index === active ? scrollIntoView : undefined}
                  className={`${css.choice} ${index === active ? css.active : ''}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={choice.value === value?.value}
                  // Keyboard focus stays in the text box.
                  onPointerDown={(event) => event.preventDefault()}
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => choose(choice)}
                  onKeyDown={press}
                >
                  <span className={css.label} dir="auto">
                    {choice.label}
                  </span>
                  <span className={css.hint}>{choice.hint}</span>
                </div>
              ))}
            </div>
            {moreText && (
              <p className={css.more} role="status">
                {moreText}
              </p>
            )}
          </div>
        ))}
    </div>
  )
}
