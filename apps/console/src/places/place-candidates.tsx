import type { PlaceCandidate } from '@switchboard/contract/places'
import { useId } from 'react'
import { Badge } from '#src/ui/badge/badge.tsx'
import css from './place-candidates.module.css'
import { STATUS_BADGES } from './place-labels.ts'

type Props = {
  candidates: readonly PlaceCandidate[]
  chosen: PlaceCandidate
  onChoose: (place: PlaceCandidate) => void
}

/** A choice between the places that Google Maps found. */
export function PlaceCandidates({ candidates, chosen, onChoose }: Props) {
  const name = useId()
  return (
    <fieldset className={css.places}>
      <legend className={css.legend}>
        {candidates.length === 1
          ? '1 matching place on Google Maps.'
          : `${candidates.length} matching places on Google Maps. Choose one.`}
      </legend>
      {candidates.map((place) => (
        <label key={place.place_id} className={css.place}>
          <input
            type="radio"
            name={name}
            checked={place.place_id === chosen.place_id}
            data-autofocus={place.place_id === chosen.place_id || undefined}
            onChange={() => onChoose(place)}
          />
          <span className={css.details}>
            <span className={css.name} dir="auto">
              {place.name ?? place.place_id}
            </span>
            <span className={css.address} dir="auto">
              {place.address ?? 'No address'}
            </span>
          </span>
          {place.business_status && <Badge {...STATUS_BADGES[place.business_status]} dot />}
        </label>
      ))}
      <p className={css.source}>Google Maps</p>
    </fieldset>
  )
}
