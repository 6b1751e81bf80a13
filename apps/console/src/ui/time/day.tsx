import { dayText, fullText, relativeText, shortDayText } from '#src/lib/format/moment.ts'

/**
 * A moment as a day, with the relative and the full time in the tooltip. `isShort` drops the current year, for a narrow
 * column.
 */
export function Day({ moment, isShort = false }: { moment: string; isShort?: boolean }) {
  return (
    <time dateTime={moment} data-tooltip={`${fullText(moment)} · ${relativeText(moment)}`}>
      {isShort ? shortDayText(moment) : dayText(moment)}
    </time>
  )
}
