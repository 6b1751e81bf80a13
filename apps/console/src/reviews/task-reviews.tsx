import {
  type PulledPlace,
  REVIEW_RETENTION_DAYS,
  REVIEWS_PER_PLACE,
  type TaskReviews as Pull,
} from '@switchboard/contract/reviews'
import type { Task } from '@switchboard/contract/tasks'
import { DAY_MS } from '@switchboard/contract/wire/days'
import { useQuery } from '@tanstack/react-query'
import { serverNow } from '#src/lib/server-clock.ts'
import { Section } from '#src/ui/card/section.tsx'
import { SkeletonItems } from '#src/ui/page/skeleton-items.tsx'
import { EmptyState, LoadError } from '#src/ui/page/empty-state.tsx'
import { Notice } from '#src/ui/notice/notice.tsx'
import { counted } from '#src/lib/format/count.ts'
import { relativeText } from '#src/lib/format/moment.ts'
import { ExternalLink } from '#src/ui/button/external-link.tsx'
import { Providers } from './place-source.tsx'
import sourceCss from './place-source.module.css'
import { ReviewItem } from './review-item.tsx'
import { Stars } from './stars.tsx'
import css from './task-reviews.module.css'
import { reviewPhotosQuery, taskReviewsQuery } from './reviews.api.ts'

const AT_MOST = `Google returns at most ${REVIEWS_PER_PLACE} reviews of a place, the most relevant first.`

/** The reviews of the last run, with the attributions required by Google's terms. */
export function TaskReviews({ task }: { task: Task }) {
  const pull = useQuery(taskReviewsQuery(task))
  return (
    <Section title="Reviews" action={pull.data?.place && <Rating place={pull.data.place} />}>
      {pull.isLoadingError ? (
        <LoadError plain title="The reviews could not be loaded" queries={[pull]} />
      ) : pull.data === undefined ? (
        <SkeletonItems text="Loading reviews..." count={3} />
      ) : pull.data.pulled_at === null ? (
        <EmptyState
          plain
          title="No reviews of this place yet"
          help={`Reviews of this place appear after a successful run. ${AT_MOST}`}
        />
      ) : (
        <>
          {pull.data.place && <PlaceNotice place={pull.data.place} />}
          <Reviews task={task} pull={pull.data} />
          <Source place={pull.data.place} pulledAt={pull.data.pulled_at} />
        </>
      )}
    </Section>
  )
}

function Reviews({ task, pull: { reviews, is_kept, pulled_at } }: { task: Task; pull: Pull }) {
  // Without photos, initials appear and no message is needed.
  const photos = useQuery(reviewPhotosQuery(task, reviews))
  if (is_kept === false) {
    return <EmptyState plain title="Reviews are counted, not kept" help="REVIEW_STORAGE is off on this platform." />
  }
  if (reviews.length === 0) {
    if (!isPurged(pulled_at)) return <EmptyState plain title="Google has no reviews of this place" />
    const help = `They are kept for ${REVIEW_RETENTION_DAYS} days after they were last seen. Another run brings them back.`
    return <EmptyState plain title="The reviews have been removed" help={help} />
  }
  return (
    <ul className={css.reviews} aria-label="Reviews">
      {reviews.map((review) => (
        <ReviewItem key={review.name} review={review} photo={photos.data?.get(review.name)} />
      ))}
    </ul>
  )
}

/** Whether reviews of this time have been deleted. */
function isPurged(pulledAt: string | null): boolean {
  return pulledAt !== null && serverNow() - Date.parse(pulledAt) >= REVIEW_RETENTION_DAYS * DAY_MS
}

function Rating({ place: { rating, user_rating_count: count } }: { place: PulledPlace }) {
  if (rating === null) return null
  return (
    <div className={css.rating}>
      <Stars rating={rating} />
      {count !== null && <span>from {counted(count, 'rating')}</span>}
    </div>
  )
}

/** A status of the place that needs attention. */
function PlaceNotice({ place: { business_status: status, moved_place_id: movedTo } }: { place: PulledPlace }) {
  if (movedTo !== null) {
    return <Notice tone="warn">Google says that this place has moved. Generate its place ID again.</Notice>
  }
  if (status === 'CLOSED_PERMANENTLY')
    return <Notice tone="warn">Google says that this place is permanently closed.</Notice>
  if (status === 'CLOSED_TEMPORARILY')
    return <Notice tone="info">Google says that this place is temporarily closed.</Notice>
  return null
}

/** Attribution as Google's policies ask: unaltered reviews, their source, and other data providers. */
function Source({ place, pulledAt }: { place: PulledPlace | null; pulledAt: string }) {
  return (
    <p className={sourceCss.source}>
      From <ExternalLink href={place?.reviews_uri ?? place?.google_maps_uri ?? null} text="Google Maps" />, unaltered,
      pulled {relativeText(pulledAt)}. {AT_MOST}
      {place && <Providers attributions={place.attributions} />}
    </p>
  )
}
