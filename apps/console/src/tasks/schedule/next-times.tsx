import { momentText, zonedText } from '#src/lib/format/moment.ts'
import css from './next-times.module.css'

/** Times of future runs in a time zone, by default in the zone of the browser. */
export function NextTimes({ times, timeZone }: { times: string[]; timeZone: string | null }) {
  return (
    <span className={css.times}>
      {times.map((time) => (
        <time key={time} dateTime={time}>
          {timeZone === null ? momentText(time) : zonedText(time, timeZone)}
        </time>
      ))}
    </span>
  )
}
