import type { ReactNode } from 'react'
import { utcDaysText } from '#src/lib/format/moment.ts'
import type { ListParams } from './list-params.ts'

/** A value of a filter. Values with the same `group` stand under one heading. */
export type FilterOption = { value: string; label: string; hint?: string | undefined; group?: string }

/** Values that the server finds. */
export type FoundOptions = {
  options: readonly FilterOption[]
  /** Shown without options: that they load, failed to load, or do not exist. */
  emptyText: string
  /** More values match than are shown. */
  moreText?: string | undefined
}

/** Renders the values that the server finds for a term. */
export type FindOptions = (props: { term: string; children: (found: FoundOptions) => ReactNode }) => ReactNode

type Named<Name> = {
  name: Name
  label: string
  /** Parameters that a change of this filter removes. */
  resets?: readonly Name[]
}

/**
 * A filter of a list, described once for the menu, the chips and the sheet of a phone:
 * - `options`: one of a few values. With `hasDeleted`, the last value shows the deleted records, which have no other state.
 * - `search`: a value that the server finds by a typed term. `chosen` is the name of the value in the URL.
 * - `days`: the first and the last day, in UTC.
 * - `link`: set by a link only, so it is a chip and nothing else.
 */
export type Filter<Name extends string = string> =
  | (Named<Name> & { kind: 'options'; options: readonly FilterOption[]; hasDeleted?: boolean })
  | (Named<Name> & { kind: 'search'; chosen: string | undefined; Find: FindOptions })
  | { kind: 'days'; label: string; from: Name; to: Name }
  | (Named<Name> & { kind: 'link'; text: string })

/** A change of search parameters. */
export type FilterChange = Record<string, string | undefined>

const DELETED_OPTION = { value: 'deleted', label: 'Deleted' } as const

/** All values of a filter with options. */
export function optionsOf({ options, hasDeleted }: Filter & { kind: 'options' }): readonly FilterOption[] {
  return hasDeleted ? [...options, DELETED_OPTION] : options
}

/** The value in the URL; undefined if the filter is not set. */
export function valueOf(filter: Exclude<Filter, { kind: 'days' }>, list: ListParams): string | undefined {
  if (filter.kind === 'options' && filter.hasDeleted && list['deleted'] !== undefined) return DELETED_OPTION.value
  const value = list[filter.name]
  return value === undefined ? undefined : String(value)
}

/** The value in words: "Inactive", "since Jun 1, 2026 (UTC)"; null if the filter is not set. */
export function valueText(filter: Filter, list: ListParams): string | null {
  if (filter.kind === 'days') {
    const [from, to] = [list[filter.from], list[filter.to]].map((day) => (day === undefined ? undefined : String(day)))
    return utcDaysText(from, to) || null
  }
  const value = valueOf(filter, list)
  if (value === undefined) return null
  if (filter.kind === 'link') return filter.text
  if (filter.kind === 'search') return filter.chosen ?? value
  return optionsOf(filter).find((option) => option.value === value)?.label ?? value
}

/** The parameters that set a filter to a value, or remove it. */
export function changeTo(filter: Filter, value: string | undefined): FilterChange {
  if (filter.kind === 'days') return { [filter.from]: undefined, [filter.to]: undefined }
  const resets = Object.fromEntries((filter.resets ?? []).map((name) => [name, undefined]))
  if (filter.kind !== 'options' || !filter.hasDeleted) return { ...resets, [filter.name]: value }
  return value === DELETED_OPTION.value
    ? { ...resets, [filter.name]: undefined, deleted: 'true' }
    : { ...resets, [filter.name]: value, deleted: undefined }
}

/** Removes all filters, but not the search. */
export function changeToNone(filters: readonly Filter[]): FilterChange {
  return Object.assign({}, ...filters.map((filter) => changeTo(filter, undefined)))
}
