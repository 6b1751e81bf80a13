import type { ListedReview } from '@switchboard/contract/reviews/review-list'
import { placeLabel } from '@switchboard/contract/tasks/task-name'
import { Link } from '@tanstack/react-router'
import { shortDayText } from '#src/lib/format/moment.ts'
import { useIsPhone } from '#src/ui/page/use-is-phone.ts'
import css from './listed-review-item.module.css'
import { Providers } from './place-source.tsx'
import { ReviewItem } from './review-item.tsx'

type Props = {
  review: ListedReview
  /** Photo of the author as a `data:` URI; undefined while loading. */
  photo: string | undefined
}

/** A review in the list of a tenant, with its place and the attributions of the place. */
export function ListedReviewItem({ review, photo }: Props) {
  const isPhone = useIsPhone()
  const { task_id, is_current, last_seen_at, attributions } = review
  return (
    <ReviewItem
      review={review}
      photo={photo}
      place={
        <p className={css.place}>
          {isPhone ? (
            // No link: the targets of the author and of Google Maps are too near.
            <bdi>{placeLabel(review)}</bdi>
          ) : (
            <Link to="/tasks/$taskId" params={{ taskId: task_id }} dir="auto" className={css.link}>
              {placeLabel(review)}
            </Link>
          )}
        </p>
      }
    >
      {(!is_current || attributions.length > 0) && (
        <p className={css.note}>
          {!is_current &&
            `Not among the reviews that Google returned last. Last returned ${shortDayText(last_seen_at)}.`}
          <Providers attributions={attributions} />
        </p>
      )}
    </ReviewItem>
  )
}
