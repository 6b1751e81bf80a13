import type * as z from 'zod/mini'

type Texts<Name extends PropertyKey> = { [Key in Name]?: string | undefined }
/** A list of the contract with the parameters `Name`. */
type ListWith<Name extends string> = {
  list: { schema: { querystring: { shape: Readonly<Record<Name, z.core.$ZodType>> } } }
}

/** Reads the parameters of a list of the contract from an address, all of them text. `listApi` validates their values. */
export function listSearch<Name extends string>({ list }: ListWith<Name>) {
  const names = new Set<string>(Object.keys(list.schema.querystring.shape))
  return (search: Record<string, unknown>): Texts<Name> => textsOf(search, (name): name is Name => names.has(name))
}

/** Reads the named parameters of an address, all of them text. */
export function searchOf<const Name extends string>(...names: Name[]) {
  const known = new Set<string>(names)
  return (search: Record<string, unknown>): Texts<Name> => textsOf(search, (name): name is Name => known.has(name))
}

function textsOf<Name extends string>(
  search: Record<string, unknown>,
  isKnown: (name: string) => name is Name,
): Texts<Name> {
  const found: Texts<Name> = {}
  for (const [name, value] of Object.entries(search)) {
    if (isKnown(name) && typeof value === 'string' && value !== '') found[name] = value
  }
  return found
}

/** Parameters as plain text, for a readable `?limit=50`. The default of the router is JSON. */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search))
}

/** Reverse of `parseSearch`, without empty parameters. */
export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === 'string' && value !== '') params.set(name, value)
  }
  return params.size === 0 ? '' : `?${params}`
}
