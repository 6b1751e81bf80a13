import { dayText, fullText, relativeText } from '#src/lib/format/moment.ts'

/** A moment as a day, with the relative and the full time in the tooltip. */
export function Day({ moment }: { moment: string }) {
  return (
    <time dateTime={moment} data-tooltip={`${fullText(moment)} · ${relativeText(moment)}`}>
      {dayText(moment)}
    </time>
  )
}
