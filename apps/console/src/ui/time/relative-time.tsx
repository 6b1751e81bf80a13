import { fullText, relativeText, shortRelativeText } from '#src/lib/format/moment.ts'

/** A moment as a relative time, with the full time in the tooltip. `isShort`, for a narrow column: "3h ago". */
export function RelativeTime({ moment, isShort = false }: { moment: string; isShort?: boolean }) {
  return (
    <time dateTime={moment} data-tooltip={fullText(moment)}>
      {isShort ? shortRelativeText(moment) : relativeText(moment)}
    </time>
  )
}
