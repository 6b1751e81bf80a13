import type { Review } from '@switchboard/contract/reviews'
import type { ReactNode } from 'react'
import { Day } from '#src/ui/time/day.tsx'
import { AuthorPhoto } from './author-photo.tsx'
import css from './review-item.module.css'
import { Stars } from './stars.tsx'

type Props = {
  review: Review
  /** Photo of the author as a `data:` URI; undefined while loading. */
  photo: string | undefined
  place?: ReactNode
  children?: ReactNode
}

/** An unaltered Google review. Google's terms require the author's name, link and photo (docs/google.md). */
export function ReviewItem({ review, photo, place, children }: Props) {
  const { author_name, author_uri, rating, text, original_text, publish_time, google_maps_uri } = review
  const author = author_name ?? 'A Google user'
  return (
    <li className={css.review}>
      <AuthorPhoto name={author_name} photo={photo} />
      <div className="grow">
        <div className={css.head}>
          {author_uri === null ? (
            <span className={css.author} dir="auto">
              {author}
            </span>
          ) : (
            <a href={author_uri} target="_blank" rel="noopener noreferrer" className={css.author} dir="auto">
              {author}
            </a>
          )}
          {rating !== null && <Stars rating={rating} />}
          {publish_time !== null && <Day moment={publish_time} />}
          {google_maps_uri !== null && (
            <a
              href={google_maps_uri}
              target="_blank"
              rel="noopener noreferrer"
              className={css.link}
              aria-label={`Review by ${author} on Google Maps`}
            >
              Google Maps
            </a>
          )}
        </div>
        {place}
        {text === null ? (
          <p className="note">Rating without text.</p>
        ) : (
          <p className={css.text} dir="auto">
            {text}
          </p>
        )}
        {original_text !== null && (
          <details className={css.original}>
            <summary className={css.summary}>Translated by Google. Show as written</summary>
            <p dir="auto">{original_text}</p>
          </details>
        )}
        {children}
      </div>
    </li>
  )
}
