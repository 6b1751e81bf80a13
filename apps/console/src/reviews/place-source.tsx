import type { PulledPlace } from '@switchboard/contract/reviews'
import { Fragment } from 'react'
import { ExternalLink } from '#src/ui/button/external-link.tsx'
import css from './place-source.module.css'

type Props = {
  place: Pick<PulledPlace, 'google_maps_uri' | 'attributions'>
  /** A sentence after the source. */
  about: string
}

/** Attribution of the data of a place, as Google's policies ask: the source and other data providers. */
export function PlaceSource({ place, about }: Props) {
  return (
    <p className={css.source}>
      From <ExternalLink href={place.google_maps_uri} text="Google Maps" />. {about}
      <Providers attributions={place.attributions} />
    </p>
  )
}

/** "Contains data of Listing Co." */
export function Providers({ attributions }: Pick<PulledPlace, 'attributions'>) {
  return attributions.map(({ provider, provider_uri }) => (
    <Fragment key={provider}>
      {' '}
      Contains data of <ExternalLink href={provider_uri} text={provider} />.
    </Fragment>
  ))
}
