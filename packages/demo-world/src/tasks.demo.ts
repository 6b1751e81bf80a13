import { generatePlaceId } from '@switchboard/contract/places'
import { type Frequency, nextRun } from '@switchboard/contract/tasks/schedule'
import { createTask, type TaskPlace } from '@switchboard/contract/tasks'
import type { Insertable, InsertObject } from 'kysely'
import { addedFields, auditedTask } from '@switchboard/database/audit/audit.queries'
import type { Database, ReviewsTable, RunsTable } from '@switchboard/database/tables'
import { DAY_MS, notBefore, workingMoment } from './calendar.ts'
import { chanceOf } from './chance.ts'
import type { DemoMaps, PlaceFault } from './maps.ts'
import { type Scenario, SCENARIOS, historyOf, type TaskSetting } from './runs.demo.ts'
import { actorOf, type Colleague, actingColleague, type DemoEvent } from './staff.ts'
import type { DemoTenant } from './tenants.demo.ts'

type TaskRow = InsertObject<Database, 'tasks'> & { id: string }
type Tasks = {
  tasks: TaskRow[]
  runs: Insertable<RunsTable>[]
  reviews: Insertable<ReviewsTable>[]
  events: DemoEvent[]
}

/** Tenants per hundred with a task, and of these with a second task. */
const SHARE = 55
const SECOND_SHARE = 12
const PERIOD_DAYS = { daily: 1, weekly: 7, biweekly: 14, monthly: 31 } as const
/** Maximum age of a task, so the histories of frequent tasks stay short. */
const OLDEST_DAYS = { daily: 60, weekly: 180, biweekly: 320, monthly: 340 } as const
/** Number of periods after which a scenario is visible. */
const SCENARIO_PERIODS = 7

/** The tasks with the runs and reviews of their whole history. */
export function planTasks(
  tenants: readonly DemoTenant[],
  { staff, maps, now }: { staff: readonly Colleague[]; maps: DemoMaps; now: number },
): Tasks {
  const scenarios: Scenario[] = [...SCENARIOS]
  const plans = tenants.flatMap((tenant, n) => {
    const chance = chanceOf('tasks', n)
    const count = chance.integer(0, 99) < SHARE ? 1 + Number(chance.integer(0, 99) < SECOND_SHARE) : 0
    return Array.from({ length: count }, (_, place) => {
      const frequency = chance.pick<Frequency>([
        'weekly',
        'weekly',
        'weekly',
        'daily',
        'daily',
        'biweekly',
        'monthly',
        'monthly',
      ])
      const oldest = Math.min(OLDEST_DAYS[frequency], (now - tenant.createdAt) / DAY_MS)
      const createdAt = notBefore(
        tenant.createdAt,
        workingMoment(now, oldest * (0.2 + 0.8 * chance.fraction()), chance),
        chance,
      )
      const periods = (now - createdAt) / (PERIOD_DAYS[frequency] * DAY_MS)
      const hasScenario = frequency === 'daily' && periods > SCENARIO_PERIODS && tenant.inactiveSince === null
      const scenario = (hasScenario ? scenarios.shift() : undefined) ?? 'healthy'
      return planTask({ tenant, staff, maps, now, chance, frequency, createdAt }, scenario, place)
    })
  })
  return {
    tasks: plans.map(({ task }) => task),
    runs: plans.flatMap(({ runs }) => runs),
    reviews: plans.flatMap(({ reviews }) => reviews),
    events: plans.flatMap(({ events }) => events),
  }
}

/** The second task of a tenant has another branch as its place. */
function planTask(setting: TaskSetting, scenario: Scenario, place: number) {
  const { tenant, staff, maps, now, chance, frequency, createdAt } = setting
  const place_name = place === 0 ? tenant.row.name : `${tenant.row.name} Riverside`
  const { city, country } = tenant
  const fault = FAULTS[scenario]
  const place_id = maps.placeId({ name: place_name, city, country, ...(fault !== undefined && { fault }) })
  const query = `${place_name}, ${city}, ${country}`
  const taskPlace: TaskPlace = { place_id, place_name, place_address: maps.addressOf(place_id), query }
  const id = chance.uuid()
  const identity = {
    id,
    tenant_id: tenant.row.id,
    tenant_name: tenant.row.name,
    schedule_name: 'pull_google_review' as const,
  }
  const target = auditedTask(identity)

  const history = historyOf(setting, { id, place: taskPlace, scenario, target })
  // Due now, so the worker runs the task at once.
  const next = scenario === 'quota_used_up' ? new Date(now) : new Date(nextRun(iso(createdAt), frequency, iso(now)))
  const { tenant_name: _, ...row } = identity
  const task: TaskRow = {
    ...row,
    ...history.state,
    frequency,
    extra_data: JSON.stringify(history.place),
    created_at: new Date(createdAt),
    next_run: next,
  }
  const by = actorOf(actingColleague(staff, createdAt, chance), chance)
  const lookUp: DemoEvent = {
    at: createdAt - chance.integer(40, 200) * 1_000,
    actor: by,
    action: generatePlaceId.schema.operationId,
    outcome: 'done',
    changes: addedFields({ query, place_id }),
  }
  const creation: DemoEvent = {
    at: createdAt,
    actor: { ...by, request_id: chance.uuid() },
    action: createTask.schema.operationId,
    outcome: 'done',
    target,
    changes: addedFields({ tenant_name: tenant.row.name, schedule_name: row.schedule_name, frequency, ...taskPlace }),
  }
  return { task, runs: history.runs, reviews: history.reviews, events: [lookUp, creation, ...history.events] }
}

/** Faults of the maps emulator for the places of some scenarios. */
const FAULTS: Partial<Record<Scenario, PlaceFault>> = {
  paused_itself: 'place_obsolete',
  quota_used_up: 'quota_day',
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
