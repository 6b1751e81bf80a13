import { IconStarFilled } from '@tabler/icons-react'
import hidden from '#src/ui/page/visually-hidden.module.css'
import css from './stars.module.css'

const STARS = [1, 2, 3, 4, 5]

/** Up to five stars and the figure; screen readers announce "4 out of 5 stars". */
export function Stars({ rating }: { rating: number }) {
  return (
    <span className={css.stars}>
      {STARS.map((star) => (
        <IconStarFilled
          key={star}
          size={13}
          className={star <= Math.round(rating) ? 'ink-warn' : css.off}
          aria-hidden
        />
      ))}
      <span className={css.figure}>
        {rating}
        <span className={hidden.hidden}> out of 5 stars</span>
      </span>
    </span>
  )
}
