import { fullText, shortDayText } from '#src/lib/format/moment.ts'

/** A moment as a day, with the year only if it is another one, and with the exact time in the tooltip. */
export function Day({ moment }: { moment: string }) {
  return (
    <time dateTime={moment} data-tooltip={fullText(moment)}>
      {shortDayText(moment)}
    </time>
  )
}
