import { REVIEW_RETENTION_DAYS, REVIEWS_PER_PLACE } from '@switchboard/contract/reviews'
import { LOW_RATING_DAYS } from '@switchboard/contract/reviews/low-ratings'
import type { ListedReview } from '@switchboard/contract/reviews/review-list'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { listText } from '#src/lib/format/count.ts'
import { shortId } from '#src/lib/format/short-id.ts'
import { filtersOf } from '#src/lists/list-params.ts'
import { useTenant } from '#src/tenants/tenants.api.ts'
import type { Filter } from '#src/lists/filters.ts'
import { EmptyList } from '#src/ui/list/empty-list.tsx'
import { ListActions } from '#src/ui/list/list-actions.tsx'
import { ListContent } from '#src/ui/list/list-content.tsx'
import { ListTools } from '#src/ui/list/list-tools.tsx'
import { Pager } from '#src/ui/list/pager.tsx'
import { Page } from '#src/ui/page/page.tsx'
import { useIsPhone } from '#src/ui/page/use-is-phone.ts'
import { SkeletonItems } from '#src/ui/page/skeleton-items.tsx'
import { ListedReviewItem } from './listed-review-item.tsx'
import sourceCss from './place-source.module.css'
import { placeOptions, RatingHistory } from './rating-history.tsx'
import css from './tenant-reviews-page.module.css'
import { photoQueries, ratingHistoryQuery, type ReviewList, reviewListOf, reviewsQuery } from './tenant-reviews.api.ts'

const SORTS = [
  { value: '-publish_time', label: 'Newest' },
  { value: 'publish_time', label: 'Oldest' },
  { value: 'rating', label: 'Lowest rating' },
  { value: '-rating', label: 'Highest rating' },
] satisfies { value: ReviewList['sort']; label: string }[]
const RATINGS = ['5', '4', '3', '2', '1'].map((value) => ({
  value,
  label: value === '1' ? '1 star' : `${value} stars`,
}))
const ATTENTION = [{ value: 'reviews_low', label: `New low ratings (${LOW_RATING_DAYS} days)` }]

const route = getRouteApi('/signed-in/tenants/$tenantId/reviews')

/** The reviews of all tasks of a tenant, and the rating history of their places. The URL holds the state of the list. */
export function TenantReviewsPage() {
  const { tenantId } = route.useParams()
  const { listed, list } = reviewListOf(route.useSearch(), tenantId)
  const reviews = useQuery({ ...reviewsQuery(listed), placeholderData: keepPreviousData })
  const isPhone = useIsPhone()
  const isFiltered = filtersOf(list).length > 0
  const total = reviews.data && listText(reviews.data.total, 'review', isFiltered)
  const isEmpty = reviews.data?.total === '0' && !isFiltered && list.cursor === undefined && !reviews.isPlaceholderData
  const hasTasks = (useTenant(tenantId)?.task_count ?? 0) > 0
  const history = <RatingHistory key={list.task_id} tenantId={tenantId} taskId={list.task_id} />
  const menu = <ListActions title="Reviews" noun="reviews" query={reviews} />
  const filters: Filter<keyof ReviewList>[] = [
    { kind: 'options', name: 'rating', label: 'Rating', options: RATINGS },
    ...usePlaceFilter(list, tenantId),
    { kind: 'options', name: 'attention', label: 'Attention', options: ATTENTION },
  ]
  return (
    <Page title="Reviews" subtitle={!isEmpty && total} isList action={isPhone && !isEmpty && menu}>
      {!isEmpty && (
        <ListTools list={list} searchLabel="Search text or author" filters={filters} sorts={SORTS} isSortShown>
          {menu}
        </ListTools>
      )}
      <div className={css.columns}>
        <div>
          <ListContent
            query={reviews}
            search={list.q}
            noun="reviews"
            total={total}
            empty={
              <EmptyList
                list={list}
                noun="reviews"
                searchHelp="Search looks at authors and texts, as written and as translated."
                title="No reviews yet"
                help="Reviews appear after the first successful run of a task, unless REVIEW_STORAGE is off."
              />
            }
          >
            {reviews.data ? (
              <Reviews rows={reviews.data.rows} busy={reviews.isPlaceholderData} sort={list.sort} />
            ) : (
              <div className={css.card}>
                <SkeletonItems text="Loading reviews..." count={5} />
              </div>
            )}
            <Pager page={reviews.data} limit={list.limit} noun="review" />
          </ListContent>
        </div>
        {hasTasks && (!isPhone || reviews.data) && history}
      </div>
    </Page>
  )
}

/** A filter by the place of a task, for a tenant with several places. */
function usePlaceFilter(list: ReviewList, tenantId: string): Filter<'task_id'>[] {
  const history = useQuery({ ...ratingHistoryQuery(tenantId, list.task_id), placeholderData: keepPreviousData })
  const options = placeOptions(history.data?.places ?? [])
  const { task_id: chosen } = list
  if (chosen !== undefined && !options.some(({ value }) => value === chosen))
    options.push({ value: chosen, label: `Task ${shortId(chosen)}` })
  if (options.length < 2 && chosen === undefined) return []
  return [{ kind: 'options', name: 'task_id', label: 'Place', options }]
}

type ReviewsProps = { rows: ListedReview[]; busy: boolean; sort: ReviewList['sort'] }

function Reviews({ rows, busy, sort }: ReviewsProps) {
  const ids = rows.flatMap(({ id, author_photo_uri }) => (author_photo_uri === null ? [] : [id]))
  // Without photos, initials appear and no message is needed.
  const photos = useQueries({
    queries: photoQueries(ids),
    combine: (parts) => new Map(parts.flatMap(({ data }) => data ?? []).map(({ id, data_uri }) => [id, data_uri])),
  })
  const order = SORTS.find(({ value }) => value === sort)?.label.toLowerCase()
  return (
    <div className={css.card} aria-busy={busy}>
      <ul className={css.reviews} aria-label="Reviews">
        {rows.map((review) => (
          <ListedReviewItem key={review.id} review={review} photo={photos.get(review.id)} />
        ))}
      </ul>
      <p className={sourceCss.source}>
        From Google Maps, unaltered, {order} first. Google returns at most {REVIEWS_PER_PLACE} reviews of a place, the
        most relevant ones; each is kept for {REVIEW_RETENTION_DAYS} days after a run last returned it. There is no
        export, because Google&apos;s terms forbid copies of reviews outside of this console. Reviews are for people
        only: the same terms forbid assistants to use them.
      </p>
    </div>
  )
}
