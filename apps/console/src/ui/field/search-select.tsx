import { IconSelector, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { scrollIntoView } from '#src/lib/scroll-into-view.ts'
import fieldCss from './field.module.css'
import { Field, invalid } from './field.tsx'
import { optionId, OptionList } from './option-list.tsx'
import css from './search-select.module.css'

export type Option = { value: string; label: string; hint?: string | undefined }

type Props = {
  label?: string
  'aria-label'?: string
  placeholder: string
  value: Option | null
  /** Search results of the server. */
  options: readonly Option[]
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
  label,
  value,
  options,
  emptyText,
  moreText,
  clearable = false,
  pushesDown = false,
  error,
  onSearch,
  onApproach,
  onOpen,
  onChange,
  ...input
}: Props) {
  const id = useId()
  const listId = `${id}-options`
  const name = label ?? input['aria-label']
  // Null without typed text: the input then shows the selected option.
  const [typed, setTyped] = useState<string | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  // Null before an arrow key: the active option is then the selected one, or the first search result.
  const [movedTo, setMovedTo] = useState<number | null>(null)
  const box = useRef<HTMLInputElement>(null)
  const chosen = value?.label ?? ''
  const isClearable = clearable && value !== null
  const isSearch = typed !== null || value === null
  // -1 if the selected option is not in the list: Enter must not select another one.
  const active = movedTo ?? (isSearch ? 0 : options.findIndex((option) => option.value === value.value))

  // Selects the text of the value, also if the value arrives after the focus: typing replaces the text.
  useLayoutEffect(() => {
    if (typed === null && chosen !== '' && document.activeElement === box.current) box.current?.select()
  }, [typed, chosen])

  function open() {
    if (isOpen) return
    setIsOpen(true)
    setMovedTo(null)
    onOpen()
  }

  function close() {
    setIsOpen(false)
    setTyped(null)
    onSearch('')
  }

  function type(text: string) {
    open()
    setMovedTo(null)
    setTyped(text)
    onSearch(text.trim())
    if (text === '' && isClearable) onChange(null)
  }

  function select(option: Option) {
    onChange(option.value)
    close()
  }

  function press(event: KeyboardEvent) {
    const activeOption = options[active]
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (!isOpen) return open()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setMovedTo((Math.max(active, step === 1 ? -1 : 0) + step + options.length) % Math.max(1, options.length))
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault()
      if (activeOption) select(activeOption)
    } else if (event.key === 'Escape' && isOpen) {
      close()
    }
  }

  return (
    <div className={`${css.box} ${pushesDown ? css.pushing : ''}`}>
      <Field id={id} label={label} error={error}>
        <input
          {...input}
          {...invalid(id, error)}
          ref={box}
          id={id}
          type="text"
          role="combobox"
          autoComplete="off"
          spellCheck={false}
          dir="auto"
          aria-autocomplete="list"
          // Escape closes the options, not the dialog around them (isOnTop).
          aria-expanded={isOpen}
          aria-controls={isOpen ? listId : undefined}
          aria-activedescendant={isOpen && options[active] ? optionId(listId, active) : undefined}
          value={typed ?? chosen}
          className={`${fieldCss.input} ${css.input} ${isClearable ? 'filter-set' : ''}`}
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
        {isClearable ? (
          <button
            type="button"
            className={css.clear}
            aria-label={`Clear ${name}`}
            onClick={() => {
              onChange(null)
              box.current?.focus()
            }}
          >
            <IconX size={14} aria-hidden />
          </button>
        ) : (
          <IconSelector size={16} aria-hidden />
        )}
      </Field>
      {isOpen && (
        <div ref={scrollIntoView} className={css.popup}>
          <OptionList
            id={listId}
            label={name}
            options={options.map((option) => ({
              id: option.value,
              label: option.label,
              hint: option.hint,
              isChosen: option.value === value?.value,
              onSelect: () => select(option),
            }))}
            active={active}
            emptyText={emptyText}
            moreText={moreText}
            onKeyDown={press}
          />
        </div>
      )}
    </div>
  )
}
