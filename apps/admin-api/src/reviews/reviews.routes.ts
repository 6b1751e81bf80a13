import * as contract from '@switchboard/contract/reviews'
import { getRatingHistory } from '@switchboard/contract/reviews/rating-history'
import { listPhotosByReview, reviewList } from '@switchboard/contract/reviews/review-list'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { actorOf } from '#src/auth/authenticate.service.ts'
import type { Deps } from '#src/deps.ts'
import { listHandler } from '#src/lists/list-handlers.ts'
import { listedReviews } from './review-list.queries.ts'
import { photosByReview, photosOfReviews, ratingHistoryOf, reviewsOfTask } from './reviews.service.ts'

export function addReviewRoutes(app: ZodApp, deps: Deps): void {
  app.route({ ...contract.listTaskReviews, handler: ({ params }) => reviewsOfTask(deps, params.task_id) })
  app.route({
    ...contract.listReviewPhotos,
    handler: (request) => photosOfReviews(deps, actorOf(request), request.params.task_id),
  })
  app.route({ ...reviewList.list, handler: listHandler(deps, reviewList, listedReviews) })
  app.route({
    ...listPhotosByReview,
    handler: (request) => photosByReview(deps, actorOf(request), request.query.ids),
  })
  app.route({
    ...getRatingHistory,
    handler: ({ params, query }) => ratingHistoryOf(deps, params.id, query.task_id),
  })
}
