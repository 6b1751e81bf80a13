import { generatePlaceId } from '@switchboard/contract/places'
import { nextRun } from '@switchboard/contract/tasks/schedule'
import { createTask, type TaskPlace } from '@switchboard/contract/tasks'
import { addedFields, auditedTask } from '@switchboard/database/audit/audit.queries'
import { DAY_MS, workingMomentAfter } from './calendar.ts'
import { chanceOf } from './chance.ts'
import type { DemoMaps, PlaceFault } from './maps.ts'
import { addHistory, type Scenario, SCENARIOS, type TaskSetting } from './runs.demo.ts'
import { actorAt, doneBy } from './staff.ts'
import type { World } from './world.ts'

/** Tenants per hundred with a task, and of these with a second task. */
const SHARE = 55
const SECOND_SHARE = 12
/** A frequency that is listed more often is more common among the tasks. */
const FREQUENCIES = ['weekly', 'weekly', 'weekly', 'daily', 'daily', 'biweekly', 'monthly', 'monthly'] as const
const PERIOD_DAYS = { daily: 1, weekly: 7, biweekly: 14, monthly: 31 } as const
/** Maximum age of a task, so the histories of frequent tasks stay short. */
const OLDEST_DAYS = { daily: 60, weekly: 180, biweekly: 320, monthly: 340 } as const
/** Two of three tasks run at the time of their creation. */
const UNTIMED = { run_time: null, time_zone: null } as const
/** Number of periods after which a scenario is visible. */
const SCENARIO_PERIODS = 7

/** Adds the tasks with the runs and reviews of their whole history. */
export function addTasks(world: World, maps: DemoMaps): void {
  const { now } = world
  const scenarios: Scenario[] = [...SCENARIOS]
  for (const [n, tenant] of world.tenants.entries()) {
    const chance = chanceOf('tasks', n)
    const count = chance.integer(0, 99) < SHARE ? 1 + Number(chance.integer(0, 99) < SECOND_SHARE) : 0
    for (let place = 0; place < count; place += 1) {
      const frequency = chance.pick(FREQUENCIES)
      const oldest = Math.min(OLDEST_DAYS[frequency], (now - tenant.createdAt) / DAY_MS)
      const createdAt = workingMomentAfter(tenant.createdAt, now, oldest * (0.2 + 0.8 * chance.fraction()), chance)
      const periods = (now - createdAt) / (PERIOD_DAYS[frequency] * DAY_MS)
      const hasScenario = frequency === 'daily' && periods > SCENARIO_PERIODS && tenant.inactiveSince === null
      const scenario = (hasScenario ? scenarios.shift() : undefined) ?? 'healthy'
      const time = n % 3 === 0 ? { run_time: '07:30', time_zone: tenant.time_zone } : UNTIMED
      addTask({ world, maps, tenant, chance, frequency, time, createdAt, scenario }, place)
    }
  }
}

/** The second task of a tenant has another branch as its place. */
function addTask(setting: TaskSetting, place: number): void {
  const { world, maps, tenant, chance, frequency, time, createdAt, scenario } = setting
  const { city, country } = tenant
  const { id: tenant_id, name: tenant_name } = tenant.row
  const place_name = place === 0 ? tenant_name : `${tenant_name} Riverside`
  const fault = FAULTS[scenario]
  const place_id = maps.placeId({ name: place_name, city, country, ...(fault !== undefined && { fault }) })
  const query = `${place_name}, ${city}, ${country}`
  const taskPlace: TaskPlace = { place_id, place_name, place_address: maps.addressOf(place_id), query }
  const id = chance.uuid()
  const schedule_name = 'pull_google_review'
  const target = auditedTask({ id, tenant_id, tenant_name, extra_data: taskPlace })

  const history = addHistory(setting, { id, place: taskPlace, target })
  // Due now, so the worker runs the task at once.
  const isDue = scenario === 'quota_used_up'
  const now = new Date(world.now)
  const created_at = new Date(createdAt)
  world.rows.tasks.push({
    ...history.state,
    id,
    tenant_id,
    schedule_name,
    frequency,
    ...time,
    extra_data: JSON.stringify(history.place),
    created_at,
    next_run: isDue
      ? now
      : new Date(nextRun({ ...time, created_at: created_at.toISOString(), frequency }, now.toISOString())),
  })
  const by = actorAt(world.staff, createdAt, chance)
  const lookUpAt = createdAt - chance.integer(40, 200) * 1_000
  const changes = addedFields({
    tenant_name,
    schedule_name,
    frequency,
    ...(time.run_time !== null && time),
    ...taskPlace,
  })
  world.events.push(
    doneBy(by, lookUpAt, generatePlaceId, { changes: addedFields({ query, place_id }) }),
    doneBy({ ...by, request_id: chance.uuid() }, createdAt, createTask, { target, changes }),
  )
}

/** Faults of the maps emulator for the places of some scenarios. */
const FAULTS: Partial<Record<Scenario, PlaceFault>> = {
  paused_itself: 'place_obsolete',
  quota_used_up: 'quota_day',
}
