import { monthText } from '#src/lib/format/moment.ts'

/** Shown below the oldest row of the list. */
export function ArchiveNote({ month }: { month: string }) {
  return <p className="note">Activity up to the end of {monthText(month)} (UTC) is archived outside of this list.</p>
}
