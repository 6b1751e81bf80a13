/** The cursors of the next and previous page, from a `Link` header (RFC 8288); null without such a page. */
export function cursorsOf(header: string | null): { next: string | null; prev: string | null } {
  return { next: cursorOf(header ?? '', 'next'), prev: cursorOf(header ?? '', 'prev') }
}

function cursorOf(header: string, rel: string): string | null {
  const links = [...header.matchAll(/<([^<>]*)>; rel="(\w+)"/g)]
  const target = links.find((link) => link[2] === rel)?.[1]
  // The target is a path; the base makes a complete URL.
  return target === undefined ? null : new URL(target, 'http://base').searchParams.get('cursor')
}
