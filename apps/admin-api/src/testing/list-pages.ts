import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'

type Get = (url: string) => Promise<LightMyRequestResponse>

/** Where a page links to; undefined when it is the last one that way. */
export function linkOf(answer: LightMyRequestResponse, rel: 'next' | 'prev'): string | undefined {
  return new RegExp(`<([^>]+)>; rel="${rel}"`).exec(String(answer.headers['link']))?.[1]
}

/**
 * The ids (or what else `key` names) on all pages of a list, in its order: by its links from `first` to the end, and
 * from there back again. Every page must say where it starts and how many rows there are.
 */
export async function idsOfAllPages(
  get: Get,
  first: string,
  key = 'id',
): Promise<{ forwards: string[]; backwards: string[] }> {
  const ids = (page: LightMyRequestResponse): string[] => page.json().map((row: Record<string, unknown>) => row[key])
  const forwards: string[] = []
  const backwards: string[] = []
  const totals = new Set<unknown>()
  let last = first
  for (let at: string | undefined = first; at !== undefined;) {
    const page = await get(at)
    expect(page.headers['x-page-start']).toBe(String(forwards.length))
    totals.add(page.headers['x-total-count'])
    forwards.push(...ids(page))
    last = at
    at = linkOf(page, 'next')
  }
  for (let at: string | undefined = last; at !== undefined;) {
    const page = await get(at)
    backwards.unshift(...ids(page))
    at = linkOf(page, 'prev')
  }
  expect([...totals]).toEqual([String(forwards.length)])
  return { forwards, backwards }
}
