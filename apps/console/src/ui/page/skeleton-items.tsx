import css from './skeleton-items.module.css'

export type SkeletonProps = {
  /** Shown in the first cell: "Loading tenants...". Screen readers get the text from an `Announcement`. */
  text?: string | undefined
  count: number
}

/** Placeholder items of a list. */
export function SkeletonItems({ text, count, withCheckbox = false }: SkeletonProps & { withCheckbox?: boolean }) {
  return (
    <ul aria-hidden>
      {numbers(count).map((row) => (
        <li key={row} className={css.item}>
          {withCheckbox && (
            <div className={css.itemBox}>
              <Bar width="16px" />
            </div>
          )}
          <div className="grow">
            {row === 0 && text ? text : <Bar width="50%" />}
            <br />
            <Bar width="70%" />
          </div>
        </li>
      ))}
    </ul>
  )
}

/** 0, 1, 2 … */
export function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}

/** A placeholder of text. `width` is a CSS width. */
export function Bar({ width }: { width: string }) {
  return <span className={css.bar} style={{ width }} />
}
