import { countryCode } from '@switchboard/contract/places/countries'
import { pulledPlace } from '@switchboard/contract/reviews'
import { type DemoMaps, demoReview } from '@switchboard/demo-world/maps'
import { sampleId, samplePlace } from '@switchboard/maps-emulator/sample-places'
import { detailsAnswer } from '@switchboard/places/google-answers'
import { PlacesError } from '@switchboard/places/places-error'
import { BROKEN_OFF } from '#apps/worker/src/tasks/runs/run-task.job.ts'
import { type SkipReason, SKIPS } from '#apps/worker/src/tasks/runs/skips.service.ts'

const isSkip = (reason: string): reason is SkipReason => reason in SKIPS

/** The maps emulator of a demo, and the texts of failed runs. */
export const demoMaps: DemoMaps = {
  placeId: ({ name, city, country, fault }) =>
    sampleId({ branch: 0, name, locality: city, region: countryCode(country), fault }),
  addressOf: (id) => samplePlace(id, new Date(0)).formattedAddress,
  detailsAt(id, at) {
    const details = detailsAnswer.parse(samplePlace(id, at))
    return { place: pulledPlace.parse(details), reviews: details.reviews.map((review) => demoReview.parse(review)) }
  },
  sentenceOf(reason) {
    if (reason === 'broken_off') return BROKEN_OFF
    return isSkip(reason) ? SKIPS[reason] : new PlacesError(reason).sentence
  },
}
