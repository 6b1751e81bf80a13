/* oxlint-disable jsx-a11y/prefer-tag-over-role -- the browser has no element whose choices a server finds */
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
  /** What matches the search, as the server found it. */
  choices: readonly Choice[]
  /** Stands in place of the choices when there are none. */
  emptyText: string
  /** Stands below the choices: that there are more. */
  moreText?: string | undefined
  maxLength: number
  error?: ReactNode
  required?: boolean
  disabled?: boolean
  /** Nothing may be chosen, by emptying the box or by its cross. */
  clearable?: boolean
  /** The choices push down what comes below instead of covering it: for a dialog, which would cut them off. */
  pushesDown?: boolean
  onSearch: (term: string) => void
  /** The pointer or the focus has come: it may be opened next. */
  onApproach?: () => void
  onOpen: () => void
  onChange: (value: string | null) => void
}

/** A select of more than could ever be listed: what is typed is searched elsewhere (WAI-ARIA combobox pattern). */
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
  // Null while nobody types: then the box shows what is chosen.
  const [typed, setTyped] = useState<string | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  // Null until somebody moves: then it is what is chosen, or the first that is found.
  const [moved, setMoved] = useState<number | null>(null)
  const box = useRef<HTMLInputElement>(null)
  const label = value?.label ?? ''
  const isSearch = typed !== null || value === null
  // Nothing, when the chosen one is not among them: Enter must not choose another.
  const active = moved ?? (isSearch ? 0 : choices.findIndex((choice) => choice.value === value.value))

  // What was chosen stands selected while nobody types, also when it comes only after the focus: typing replaces it.
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
        // Escape closes the choices, not a dialog around them, which hears of it first.
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
