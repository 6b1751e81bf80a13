import * as contract from '@switchboard/contract/reviews'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { actorOf } from '#src/auth/authenticate.ts'
import type { Deps } from '#src/deps.ts'
import { photosOfReviews, reviewsOfTask } from './reviews.service.ts'

export function addReviewRoutes(app: ZodApp, deps: Deps): void {
  app.route({ ...contract.listTaskReviews, handler: ({ params }) => reviewsOfTask(deps, params.task_id) })
  app.route({
    ...contract.listReviewPhotos,
    handler: (request) => photosOfReviews(deps, actorOf(request), request.params.task_id),
  })
}
