import { type Icon, IconCircleCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { counted, countText } from '#src/lib/format/count.ts'
import css from './attention-panel.module.css'

type ListAddress = {
  to: '/tasks' | '/keys' | '/tenants' | '/users' | '/users/create'
  search: { [Name in 'q' | 'open' | 'status' | 'attention' | 'tenant_id']?: string }
  hash?: string
}
type TaskAddress = { to: '/tasks/$taskId'; params: { taskId: string } }

/** Label, link and reason of a record that needs attention. */
export type AttentionRecord = { name: string; mend: ListAddress | TaskAddress; about: string }

type Words = readonly [one: string, many: string, none: string]

type Props<Item> = {
  /** Number of records and the most urgent records; undefined while loading. */
  found: { count: number; is_more: boolean; first: Item[] } | undefined
  tone: 'bad' | 'warn' | 'quiet'
  Icon: Icon
  /** Texts after the number: singular, plural, and the text without records. */
  words: Words
  /** Link to the list of all records. */
  list: ListAddress
  recordOf: (item: Item) => AttentionRecord
}

/** A kind of records that need attention. Same height with and without records, to prevent layout shift. */
export function AttentionKind<Item extends { id: string }>(props: Props<Item>) {
  const { found, tone, Icon: IconOfKind, words, list, recordOf } = props
  if (found === undefined) {
    return (
      <li className={css.kind}>
        <span className={css.dot} />
        <span className={css.line} />
      </li>
    )
  }
  if (found.count === 0) {
    return (
      <li className={css.kind}>
        <IconCircleCheck size={18} aria-hidden className={css.ok} />
        <div className={css.none}>{words[2]}</div>
      </li>
    )
  }
  return (
    <li className={css.kind}>
      <IconOfKind size={18} aria-hidden className={css[tone]} />
      <Link {...list} className={css.all}>
        {howMany(found, words)}
      </Link>
      <ul className={css.records}>
        {found.first.map((item) => {
          const { name, mend, about } = recordOf(item)
          return (
            <li key={item.id} className={css.record}>
              <Link {...mend} className={css.one} dir="auto" data-tooltip="cut">
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
function howMany({ count, is_more }: { count: number; is_more: boolean }, [one, many]: Words): string {
  return is_more ? `${countText(count)}+ ${many}` : counted(count, one, many)
}
