import { FREE_REVIEW_CALLS, monthlyCalls } from '@switchboard/contract/tasks/google-calls'
import type { Frequency } from '@switchboard/contract/tasks/schedule'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#src/lib/call-error.ts'
import { consoleSettings } from '#src/lib/console-settings.ts'
import { counted, countText } from '#src/lib/format/count.ts'
import { scheduledTasksQuery } from './google-forecast.api.ts'
import css from './google-forecast.module.css'

/** The calls of all tasks to Google in a month. The line has its room before they are known. */
export function GoogleForecast() {
  const tasks = useQuery(scheduledTasksQuery())
  return (
    <p className={css.forecast}>
      {tasks.isLoadingError && messageOf(tasks.error, 'The calls to Google could not be counted.')}
      {tasks.data && forecastText(tasks.data)}
      {tasks.data && consoleSettings.sample_maps && ' Sample data costs nothing.'}
    </p>
  )
}

/** "About 1,240 calls to Google a month, one for each run. List price: about $6." */
function forecastText(tasks: Record<Frequency, number>): string {
  const { calls, usd } = monthlyCalls(tasks)
  const free = `, after ${countText(FREE_REVIEW_CALLS)} free calls`
  const price = usd < 1 ? 'below $1' : `about $${countText(Math.round(usd))}`
  return `About ${counted(calls, 'call')} to Google a month, one for each run. List price${free}: ${price}.`
}
