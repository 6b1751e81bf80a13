import { fullText, relativeText } from '#src/lib/format/moment.ts'

/** A moment as a relative time, with the full time in the tooltip. */
export function RelativeTime({ moment }: { moment: string }) {
  return (
    <time dateTime={moment} data-tooltip={fullText(moment)}>
      {relativeText(moment)}
    </time>
  )
}
