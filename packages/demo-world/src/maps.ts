import type { Country } from '@switchboard/contract/places/countries'
import { type PulledPlace, review } from '@switchboard/contract/reviews'
import * as z from 'zod/mini'

/** The permanent failure of a demo place. */
export type PlaceFault = 'place_obsolete' | 'quota_day'

/** Codes of the reasons of failed runs. */
export type DemoFailure =
  | 'place_malformed'
  | 'place_obsolete'
  | 'unavailable'
  | 'unreachable'
  | 'timeout'
  | 'quota_minute'
  | 'key_invalid'
  | 'broken_off'
/** Codes of the reasons of skipped runs. */
export type DemoSkip = 'task_paused' | 'tenant_inactive' | 'already_running' | 'place_changed'

/** Maps with the places of the demo, so that "Run task now" finds the earlier reviews. */
export type DemoMaps = {
  /** The id of a place that may exist in the demo only. */
  placeId(place: { name: string; city: string; country: Country; fault?: PlaceFault }): string
  addressOf(placeId: string): string
  /** The place and its reviews at a time. */
  detailsAt(placeId: string, at: Date): { place: PulledPlace; reviews: DemoReview[] }
  /** The sentence on screen. */
  sentenceOf(reason: DemoFailure | DemoSkip): string
}

/** A review without the times of the runs. */
export const demoReview = z.omit(review, { first_seen_at: true, last_seen_at: true, last_changed_at: true })
export type DemoReview = z.infer<typeof demoReview>
