import type * as z from 'zod/mini'

type Texts<Name extends PropertyKey> = { [Key in Name]?: string | undefined }

/**
 * The search parameters of a list of the contract, its columns and its saved view, all of them text. `listApi` validates them. A type: the router is part
 * of the sign-in page, which does not load the contract of lists.
 */
export type SearchOf<List extends { list: { schema: { querystring: z.core.$ZodType } } }> = Texts<
  keyof z.output<List['list']['schema']['querystring']> | 'columns' | 'saved'
>

/** All search parameters that are not empty. */
export function textsOf(search: Record<string, unknown>): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === 'string' && value !== '') texts[name] = value
  }
  return texts
}

/** Reads the named search parameters, all of them text. */
export function searchOf<const Name extends string>(...names: Name[]) {
  return (search: Record<string, unknown>): Texts<Name> => {
    const texts = textsOf(search)
    const named: Texts<Name> = {}
    for (const name of names) if (texts[name] !== undefined) named[name] = texts[name]
    return named
  }
}

/** Parameters as plain text, for a readable `?limit=50`. The default of the router is JSON. */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search))
}

/** Reverse of `parseSearch`, without empty parameters. */
export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams(textsOf(search))
  return params.size === 0 ? '' : `?${params}`
}
