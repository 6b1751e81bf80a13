import { IconChevronLeft } from '@tabler/icons-react'
import { useState } from 'react'
import {
  changeTo,
  type Filter,
  type FilterChange,
  type FilterOption,
  optionsOf,
  valueOf,
  valueText,
} from '#src/lists/filters.ts'
import { type ListParams, useChangeList } from '#src/lists/list-params.ts'
import type { ListedOption } from '#src/ui/field/option-list.tsx'
import { useIsPhone } from '#src/ui/page/use-is-phone.ts'
import { Choices } from './choices.tsx'
import { dayChoices, DayFields } from './day-fields.tsx'
import css from './filter-menu.module.css'

type Props = {
  list: ListParams
  filters: readonly Filter[]
  /** The orders, for a list whose columns are not heads to click. */
  sorts?: readonly FilterOption[] | undefined
  onClose: () => void
}

type Field = Exclude<Filter, { kind: 'link' }>
type ParamChange = (change: FilterChange) => void

/** The filters of a list: first the fields, then the values of one. The search of the fields finds values too. */
export function FilterMenu({ list, filters, sorts, onClose }: Props) {
  const changeList = useChangeList()
  const isPhone = useIsPhone()
  const [name, setName] = useState<string | null>(null)
  const [term, setTerm] = useState('')
  const order: Field | null =
    sorts === undefined ? null : { kind: 'options', name: 'sort', label: 'Sort by', options: sorts }
  const fields = [...filters.filter((filter) => filter.kind !== 'link'), ...(order ? [order] : [])]
  const field = fields.find(({ label }) => label === name)

  function open(label: string | null) {
    setTerm('')
    setName(label)
  }

  /** One change closes the menu. The sheet of a phone stays open, for the next filter. */
  function change(params: FilterChange) {
    changeList(params)
    if (isPhone) open(null)
    else onClose()
  }

  if (field === undefined) {
    return (
      <Choices
        key="fields"
        label="Filters"
        placeholder="Filter by…"
        term={term}
        onTerm={setTerm}
        choices={[
          ...fields
            .filter(({ label }) => isMatch(label, term))
            .map((one) => ({
              id: one.label,
              label: one.label,
              hint: valueText(one, list) ?? undefined,
              onSelect: () => open(one.label),
            })),
          ...(term === '' ? [] : fields.flatMap((one) => valuesOf(one, list, change).filter(matching(term)))),
        ]}
        emptyText="No filter found"
        onClose={onClose}
      />
    )
  }
  const parts = { list, term, onTerm: setTerm, onBack: () => open(null), onClose, change }
  return (
    <>
      <button type="button" className={css.back} onClick={() => open(null)}>
        <IconChevronLeft size={14} aria-hidden />
        {field.label}
      </button>
      {field.kind === 'search' ? (
        <FoundValues {...parts} filter={field} />
      ) : (
        <Choices
          {...parts}
          key={field.label}
          label={field.label}
          placeholder={field.kind === 'days' ? 'Find days' : 'Find a value'}
          choices={[
            ...(field === order ? [] : [removal(field, list, change)].filter((choice) => choice !== null)),
            ...valuesOf(field, list, change).map(({ hint: _hint, ...choice }) => choice),
          ].filter(matching(term))}
          emptyText="No value found"
        >
          {field.kind === 'days' && <DayFields filter={field} list={list} onChange={change} />}
        </Choices>
      )}
    </>
  )
}

type FoundProps = {
  list: ListParams
  filter: Filter & { kind: 'search' }
  term: string
  onTerm: (term: string) => void
  onBack: () => void
  onClose: () => void
  change: ParamChange
}

/** The values that the server finds. */
function FoundValues({ list, filter, change, ...props }: FoundProps) {
  const any = props.term === '' ? removal(filter, list, change) : null
  return (
    <filter.Find term={props.term}>
      {({ options, emptyText, moreText }) => (
        <Choices
          {...props}
          label={filter.label}
          placeholder="Find a value"
          choices={[
            ...(any ? [any] : []),
            ...options.map(({ value, label, hint }) => ({
              id: value,
              label,
              hint,
              isChosen: value === valueOf(filter, list),
              onSelect: () => change(changeTo(filter, value)),
            })),
          ]}
          emptyText={emptyText}
          moreText={moreText}
        />
      )}
    </filter.Find>
  )
}

/** The values of a filter, which the server does not have to find. */
function valuesOf(filter: Field, list: ListParams, change: ParamChange): ListedOption[] {
  if (filter.kind === 'search') return []
  if (filter.kind === 'days') return dayChoices(filter, list, change)
  return optionsOf(filter).map(({ value, label, group }) => ({
    id: `${filter.name} ${value}`,
    label,
    hint: filter.label,
    group,
    isChosen: value === valueOf(filter, list),
    onSelect: () => change(changeTo(filter, value)),
  }))
}

/** "Any", which removes the filter; null for a filter that is not set. */
function removal(filter: Field, list: ListParams, change: ParamChange): ListedOption | null {
  if (valueText(filter, list) === null) return null
  return { id: 'any', label: 'Any', onSelect: () => change(changeTo(filter, undefined)) }
}

function matching(term: string): (choice: ListedOption) => boolean {
  return ({ label, group = '' }) => isMatch(`${label} ${group}`, term)
}

function isMatch(text: string, term: string): boolean {
  return text.toLowerCase().includes(term.trim().toLowerCase())
}
