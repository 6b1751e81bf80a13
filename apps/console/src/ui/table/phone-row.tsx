import { Fragment, type ReactNode } from 'react'
import css from './phone-row.module.css'

type Props = {
  name: ReactNode
  /** State badge beside the name. */
  badge?: ReactNode
  /** The second line, between dots. More than three may take another line. */
  facts: ReactNode[]
  /** Index of the truncated fact; the last by default. */
  truncatedFact?: number
}

/** A row of a list on a phone, where there are no columns: two lines. */
export function PhoneRow({ name, badge, facts, truncatedFact = facts.length - 1 }: Props) {
  return (
    <>
      <div className={css.first}>
        <div className={css.name}>{name}</div>
        {badge}
      </div>
      <div className={facts.length > 3 ? `${css.second} ${css.wrapping}` : css.second}>
        {facts.map((fact, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the order of the facts never changes
          <Fragment key={index}>
            {index > 0 && '·'}
            <span className={index === truncatedFact ? css.cut : undefined}>{fact}</span>
          </Fragment>
        ))}
      </div>
    </>
  )
}
