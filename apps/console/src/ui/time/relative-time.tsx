import { fullText, relativeText } from '#src/lib/format/moment.ts'

/** When something happened or will happen: relative within a week, else the day, with the exact time in the tooltip. */
export function RelativeTime({ moment }: { moment: string }) {
  return (
    <time dateTime={moment} data-tooltip={fullText(moment)}>
      {relativeText(moment)}
    </time>
  )
}
