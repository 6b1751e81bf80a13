import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'

const ROW_PX = 44

type Props = { count: number; renderRow: (index: number) => ReactNode }

/** The body of a long table: only the rows in view, between two empty rows as high as all that are not. */
export function VirtualBody({ count, renderRow }: Props) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    if (body.current) setTop(body.current.getBoundingClientRect().top + window.scrollY)
  }, [])
  // oxlint-disable-next-line react/incompatible-library -- it warns users of the React Compiler, which we do not use
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => ROW_PX,
    overscan: 6,
    scrollMargin: top,
  })
  const items = virtualizer.getVirtualItems()
  const above = (items[0]?.index ?? 0) * ROW_PX
  const below = (count - 1 - (items.at(-1)?.index ?? -1)) * ROW_PX
  return (
    <tbody ref={body}>
      <Space height={above} />
      {items.map((item) => renderRow(item.index))}
      <Space height={below} />
    </tbody>
  )
}

function Space({ height }: { height: number }) {
  return height === 0 ? null : <tr aria-hidden style={{ height }} />
}
