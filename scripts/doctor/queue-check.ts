import { jobSchema } from '@switchboard/database/connection/job-database'
import type { Database } from '@switchboard/database/tables'
import type { Kysely } from 'kysely'
import { overdueTasks, waitingJobs } from './database.queries.ts'
import { failed, ok, warning } from './finding.ts'

/** Workers take a job within seconds, and look for due tasks every few seconds. */
const WAITING_MAX_SECONDS = 120

/** Whether workers take jobs and enqueue due tasks. */
export async function checkQueue(db: Kysely<Database>) {
  const tasks = await overdueTasks(db)
  if (tasks.seconds > WAITING_MAX_SECONDS)
    return failed(`${tasks.count} tasks are due, the oldest for ${minutes(tasks)}. Start a worker, or read its log.`)
  const schema = await jobSchema(db)
  if (!schema.exists) return warning(`The schema ${schema.name} of the jobs does not exist yet: start a server.`)
  const jobs = await waitingJobs(db, schema.name)
  if (jobs.seconds > WAITING_MAX_SECONDS)
    return failed(`${jobs.count} jobs wait, the oldest for ${minutes(jobs)}. Start a worker, or read its log.`)
  return ok(`${jobs.count} jobs wait.`)
}

function minutes({ seconds }: { seconds: number }): string {
  return `${Math.floor(seconds / 60)} minutes`
}
