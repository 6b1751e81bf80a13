import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'

type Get = (url: string) => Promise<LightMyRequestResponse>

/** The address of a linked page; undefined after the last page in this direction. */
export function linkOf(answer: LightMyRequestResponse, rel: 'next' | 'prev'): string | undefined {
  return new RegExp(`<([^>]+)>; rel="${rel}"`).exec(String(answer.headers['link']))?.[1]
}

/**
 * The ids (or another `key`) on all pages of a list, in order: along the links from `first` to the end and back again.
 * Every page must have the right start and total.
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
