import { Link } from '@tanstack/react-router'
import { countText } from '#src/lib/format/count.ts'
import css from './bar-list.module.css'

type Item = { id: string; name: string; count: number; to: '/tenants/$tenantId/users'; params: { tenantId: string } }

/** A bar chart of figures, each a link, in descending order. */
export function BarList({ items, empty }: { items: Item[]; empty: string }) {
  const most = items[0]?.count ?? 1
  if (items.length === 0) return <p className="ink-3">{empty}</p>
  return (
    <ol className={css.list}>
      {items.map(({ id, name, count, ...link }) => (
        <li key={id}>
          <Link {...link} className={css.item}>
            <span className="cut ink-2" dir="auto" data-tooltip="cut">
              {name}
            </span>
            <span className={css.track} aria-hidden>
              <span className={css.bar} style={{ width: `${(100 * count) / most}%` }} />
            </span>
            <span className={css.count}>{countText(count)}</span>
          </Link>
        </li>
      ))}
    </ol>
  )
}
