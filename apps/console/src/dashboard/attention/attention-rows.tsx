import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { Sparkline } from '#src/ui/page/sparkline.tsx'
import { countText } from '#src/lib/format/count.ts'
import type { AttentionGroup, AttentionRow } from './attention-groups.ts'
import css from './attention-rows.module.css'

/** The most urgent records of a group, each with the link to its fix, and the link to all of them. */
export function AttentionRows({ group: { count, noun, note, all, rows } }: { group: AttentionGroup }) {
  return (
    <>
      <ul className={css.rows} aria-label={`${count} ${noun}`}>
        {rows.map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </ul>
      <div className={css.foot}>
        <span>{note}</span>
        <Link {...all.link} className={css.all}>
          {all.label}
        </Link>
      </div>
    </>
  )
}

function Row({ row: { name, owner, reason, refused, action, link } }: { row: AttentionRow }) {
  const id = useId()
  return (
    <li className={css.row}>
      <span className={css.who} data-tooltip="cut">
        <bdi id={`${id}-name`} className="strong">
          {name}
        </bdi>{' '}
        {owner !== undefined && (
          <bdi id={`${id}-owner`} className={css.owner}>
            {owner}
          </bdi>
        )}
      </span>
      <span className={css.reason} data-tooltip="cut">
        {reason}
      </span>
      {refused && (
        <>
          <span className={css.bars}>
            <Sparkline days={refused.recent_calls} />
          </span>
          <span className={css.refused}>{countText(refused.refusals.count)} refused</span>
        </>
      )}
      <Link
        {...link}
        id={`${id}-action`}
        className={css.action}
        aria-labelledby={`${id}-action ${id}-name ${id}-owner`}
      >
        {action}
      </Link>
    </li>
  )
}
