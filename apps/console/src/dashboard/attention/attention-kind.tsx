import type { Icon } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { counted, countText } from '#src/lib/format/count.ts'
import css from './attention-panel.module.css'

type Search = { [Name in 'key' | 'state' | 'attention' | 'tenant_id' | 'task_id']?: string }
type ListLink = { to: '/tasks' | '/keys' | '/tenants' | '/users' | '/users/create'; search: Search }
/** A tab of a tenant. */
type TabLink = {
  to: `/tenants/$tenantId/${'tasks' | 'keys' | 'users' | 'reviews'}`
  params: { tenantId: string }
  search: Search
}
type TaskLink = { to: '/tasks/$taskId'; params: { taskId: string } }

/** A record that needs attention: its label, the link to the fix, and the reason. */
export type AttentionRecord = { name: string; link: ListLink | TabLink | TaskLink; about: string }

type Labels = readonly [one: string, many: string]

export type AttentionKindProps<Item> = {
  /** Number of records and the most urgent records. */
  records: { count: number; is_more: boolean; first: Item[] }
  tone: 'bad' | 'warn' | 'quiet'
  Icon: Icon
  /** Texts after the number: singular and plural. */
  labels: Labels
  /** Replaces the number and the text. */
  title?: string
  /** Link to the list of all records. */
  list: ListLink | TabLink
  recordOf: (item: Item) => AttentionRecord
}

/** A kind of records that need attention: the number, and the most urgent records. */
export function AttentionKind<Item extends { id: string }>(props: AttentionKindProps<Item>) {
  const { records, tone, Icon: IconOfKind, labels, title, list, recordOf } = props
  return (
    <li className={css.kind}>
      <IconOfKind size={18} aria-hidden className={css[tone]} />
      <Link {...list} className={css.all}>
        {title ?? summaryText(records, labels)}
      </Link>
      <ul className={css.records}>
        {records.first.map((item) => {
          const { name, link, about } = recordOf(item)
          return (
            <li key={item.id} className={css.record}>
              <Link {...link} className={css.one} dir="auto" data-tooltip="cut">
                {name}
              </Link>
              <span className={css.about} data-tooltip="cut">
                {about}
              </span>
            </li>
          )
        })}
      </ul>
    </li>
  )
}

/** "3 tasks are paused", "1,000+ tasks are paused". */
function summaryText({ count, is_more }: { count: number; is_more: boolean }, [one, many]: Labels): string {
  return is_more ? `${countText(count)}+ ${many}` : counted(count, one, many)
}
