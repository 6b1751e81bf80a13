import { draw, pick } from './draw.ts'
import { photoUri } from './sample-photos.ts'

/** Google returns five reviews, "most relevant" first. */
const SHOWN = 5
const DAY_MS = 86_400_000
/** The first review of every place was written in the month after this time. */
const OPENING_MS = Date.parse('2025-06-01T00:00:00Z')

/**
 * Rating, count and five reviews of a place at a moment. A place gets a review every one to four days; the latest three
 * and two older ones are returned, and every fourth review is rewritten after two days.
 */
export function sampleReviews(id: string, now: Date) {
  const everyMs = DAY_MS * (1 + draw(4, id, 'every'))
  const firstMs = OPENING_MS + draw(30, id, 'first') * DAY_MS + draw(DAY_MS, id, 'clock')
  const writtenAt = (number: number) => firstMs + number * everyMs
  const count = Math.max(0, Math.floor((now.getTime() - firstMs) / everyMs) + 1)
  const latest = Array.from({ length: Math.min(count, 3) }, (_, back) => count - 1 - back)
  const older = Array.from({ length: Math.min(count - latest.length, SHOWN - latest.length) }, (_, number) => number)
  return {
    ...(count > 0 && { rating: (35 + draw(15, id, 'rating')) / 10, userRatingCount: count }),
    ...(count > 0 && {
      reviews: [...latest, ...older].map((number) => sampleReview(id, number, new Date(writtenAt(number)), now)),
    }),
  }
}

function sampleReview(id: string, number: number, writtenAt: Date, now: Date) {
  const ageMs = now.getTime() - writtenAt.getTime()
  const isRewritten = draw(4, id, number, 'rewritten') === 0 && ageMs > 2 * DAY_MS
  const rating = pick([5, 5, 5, 4, 4, 3, 2, 1], id, number, isRewritten ? 'second rating' : 'rating')
  const author = pick(AUTHORS, id, number, 'author')
  return {
    name: `places/${id}/reviews/${Buffer.from(`review ${number}`).toString('base64url')}`,
    relativePublishTimeDescription: relativeTime(ageMs),
    rating,
    ...reviewText(id, number, rating, isRewritten),
    authorAttribution: {
      displayName: `${author} (sample)`,
      uri: `https://maps.example/contrib/${author.toLowerCase()}`,
      // One author has no photo.
      ...(author !== 'Grace' && { photoUri: photoUri(author) }),
    },
    // Google counts in nanoseconds.
    publishTime: writtenAt.toISOString().replace('Z', '456789Z'),
    flagContentUri: `https://maps.example/report/${number}`,
    googleMapsUri: `https://maps.example/place/${id}/reviews/${number}`,
  }
}

/** Some reviews have stars only, some are in another language and translated by Google. */
function reviewText(id: string, number: number, rating: number, isRewritten: boolean) {
  if (draw(7, id, number, 'silent') === 0) return {}
  const [english, spanish] = pick(rating >= 4 ? GOOD : POOR, id, number, 'words')
  const addition = isRewritten ? ' Update: they called me back about it.' : ''
  const text = { text: `${english}${addition}`, languageCode: 'en' }
  const isSpanish = draw(5, id, number, 'language') === 0 && !isRewritten
  return { text, originalText: isSpanish ? { text: spanish, languageCode: 'es' } : text }
}

function relativeTime(ageMs: number): string {
  const days = Math.floor(ageMs / DAY_MS)
  if (days < 1) return 'today'
  const [count, unit] =
    days < 7
      ? [days, 'day']
      : days < 30
        ? [Math.floor(days / 7), 'week']
        : days < 365
          ? [Math.floor(days / 30), 'month']
          : [Math.floor(days / 365), 'year']
  return count === 1 ? `a ${unit} ago` : `${count} ${unit}s ago`
}

const AUTHORS = ['Ada', 'Ben', 'Chloe', 'Dario', 'Emma', 'Farid', 'Grace', 'Hugo', 'Ines', 'Jonas'] as const

type Words = readonly [english: string, spanish: string]

const GOOD: readonly [Words, ...Words[]] = [
  ['Friendly people and no waiting. I will come again.', 'Gente amable y sin esperas. Volveré.'],
  ['They explained everything before they started. Fair price.', 'Lo explicaron todo antes de empezar. Precio justo.'],
  ['Clean, quick and exactly as agreed.', 'Limpio, rápido y tal como acordamos.'],
  ['Best in town. Ask for Maria, she knows her trade.', 'Lo mejor de la ciudad. Pregunta por María.'],
  ['Easy to book, on time, good result.', 'Fácil de reservar, puntual, buen resultado.'],
]

const POOR: readonly [Words, ...Words[]] = [
  ['I waited for forty minutes although I had an appointment.', 'Esperé cuarenta minutos aunque tenía cita.'],
  ['Nobody answers the telephone.', 'Nadie contesta el teléfono.'],
  ['The work was fine, the bill was twice what they said.', 'El trabajo bien, la cuenta el doble de lo dicho.'],
  ['All right, but I expected more for the money.', 'Está bien, pero esperaba más por el dinero.'],
]
