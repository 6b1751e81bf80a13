import * as z from 'zod/mini'
import { dayOf } from '#src/wire/days.ts'
import { firstSteps } from '#src/dashboard/first-steps.ts'
import { trends, trendsQuery } from '#src/dashboard/trends.ts'
import { keyStateName } from '#src/api-keys/key-state.ts'
import { recentCalls } from '#src/api-keys/key-list.ts'
import { keyRefusals } from '#src/api-keys/key-outcomes.ts'
import { endpoint } from '#src/wire/endpoint.ts'
import { scheduleName } from '#src/tasks/schedule-names.ts'
import { tenantStatus } from '#src/tenants/tenant-status.ts'
import { moment } from '#src/wire/text.ts'

/** Length of the recent period in UTC days, including today. */
export const RECENT_DAYS = 30
/** Maximum number of tenants in an answer. */
export const TENANTS_NAMED_MAX = 100
/** Months of growth in an answer, including the current month. */
export const GROWTH_MONTHS = 12
/** Tenants in "Top Tenants by User Count" on the dashboard. */
export const TOP_TENANTS_SHOWN = 5
/** Months of growth on the dashboard. */
export const GROWTH_MONTHS_SHOWN = 6
/** Tenants in "Tenant Health Overview" on the dashboard. */
export const HEALTH_TENANTS_SHOWN = 10

/** The first of the recent days at `now`, as "2026-10-22". */
export function recentSince(now: Date): string {
  return dayOf(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - RECENT_DAYS + 1))
}

/** The last `count` months up to the one of `now`, oldest first, as "2026-11". */
export function lastMonths(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_, n) =>
    dayOf(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count + 1 + n, 1)).slice(0, 7),
  )
}

/** The first and the last day of a month: "2026-11" has 2026-11-01 and 2026-11-30. */
export function daysOfMonth(month: string): { first: string; last: string } {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return { first: `${month}-01`, last: dayOf(Date.UTC(year, number, 0)) }
}

const roleCounts = z.object({
  /** Number of super admins. */
  super_admin: z.int(),
  /** Number of people of the console with the role support. */
  support: z.int(),
  /** Number of auditors of the console. */
  auditor: z.int(),
  /** Number of admins of tenants. */
  admin: z.int(),
  /** Number of managers of tenants. */
  manager: z.int(),
  /** Number of other users of tenants. */
  user: z.int(),
})

const statusCounts = z.object({
  /** Number of active records. */
  active: z.int(),
  /** Number of inactive records. */
  inactive: z.int(),
})

/** All users, members included. */
export const userAnalytics = z.object({
  /** Number of all users. */
  total_users: z.int(),
  /** Number of users by role, also of roles without users. */
  users_by_role: roleCounts,
  /** Numbers of active and inactive users. */
  users_by_status: statusCounts,
  /** Tenants with users: the top 100 by number of users. */
  users_by_tenant: z.array(
    z.object({
      /** Id of the tenant. */
      tenant_id: z.uuid(),
      /** Name of the tenant. */
      tenant: z.string(),
      /** Number of its users. */
      count: z.int(),
    }),
  ),
  /** Users created in the recent days. */
  recent_registrations: z.int(),
  /** The first of the recent days, in UTC. */
  recent_since: z.iso.date(),
})
export type UserAnalytics = z.infer<typeof userAnalytics>

/** Numbers of tenants by status, their growth by month, and the first 100 tenants by name. */
export const tenantAnalytics = z.object({
  /** Number of all tenants. */
  total_tenants: z.int(),
  /** Numbers of active and inactive tenants. */
  tenants_by_status: statusCounts,
  /** Tenants created in the recent days. */
  recent_tenants: z.int(),
  /** The first of the recent days, in UTC. */
  recent_since: z.iso.date(),
  /** The last twelve months, oldest first, including months without a new tenant; empty without tenants. */
  tenant_growth: z.array(
    z.object({
      /** The month, in UTC: `2026-11`. */
      month: z.string(),
      /** Tenants created in the month. */
      count: z.int(),
    }),
  ),
  /** The tenants by name, 100 at most. */
  tenants_with_admins: z.array(
    z.object({
      /** Id of the tenant. */
      id: z.uuid(),
      /** Name of the tenant. */
      name: z.string(),
      status: tenantStatus,
      /** Number of its users. */
      admin_count: z.int(),
    }),
  ),
})
export type TenantAnalytics = z.infer<typeof tenantAnalytics>

/** A number of records is exact up to this maximum. */
export const ATTENTION_COUNT_MAX = 1_000
/** Maximum number of records listed per kind. */
export const ATTENTION_NAMED_MAX = 3

/** Number of records that need attention, and the most urgent records. `is_more`: `count` is a lower bound. */
function group<Item extends z.core.$ZodType>(item: Item) {
  return z.object({
    /** Number of records, exact up to 1,000. */
    count: z.int(),
    /** Whether there are more records than `count`. */
    is_more: z.boolean(),
    /** The most urgent records, three at most. */
    first: z.array(item),
  })
}

const attentionTenant = z.object({
  /** Id of the tenant. */
  id: z.uuid(),
  /** Name of the tenant. */
  name: z.string(),
  /** Number of its users. */
  admin_count: z.int(),
})
const attentionKey = z.object({
  /** Id of the key. */
  id: z.uuid(),
  /** Name of the key. */
  name: z.string(),
  /** Id of its tenant. */
  tenant_id: z.uuid(),
  /** Name of its tenant. */
  tenant_name: z.string(),
  tenant_status: tenantStatus,
})
const refusedKey = z.extend(attentionKey, {
  /** Refusals of the last seven days. */
  refusals: keyRefusals,
  /** Calls of the last seven days, oldest first. */
  recent_calls: recentCalls,
  /** State of the key. */
  state: keyStateName,
  /** Expiry of the key. Null: never. */
  expires_at: z.nullable(moment),
  /** Origins that the key allows. Empty: any. */
  allowed_origins: z.array(z.string()),
  /** When a scanner reported the secret as leaked. Null for a key that was not reported. */
  reported_at: z.nullable(moment),
  /** The most frequent origin that the key refused in these days; null without a readable one. */
  refused_origin: z.nullable(z.string()),
})
export type RefusedKey = z.infer<typeof refusedKey>

const attentionTask = z.object({
  /** Id of the task. */
  id: z.uuid(),
  /** Name of its tenant. */
  tenant_name: z.string(),
  /** What the task does. */
  schedule_name: scheduleName,
  /** Google's id of its place. */
  place_id: z.string(),
  /** Name of the place, if known. */
  place_name: z.nullable(z.string()),
  /** Address of the place, if known. */
  place_address: z.nullable(z.string()),
  /** The reason as a sentence; null if unknown. */
  reason: z.nullable(z.string()),
  /** Time of the failure, or the missed time of the run. Null if unknown. */
  at: z.nullable(moment),
})
export type AttentionTask = z.infer<typeof attentionTask>

const attentionReview = z.object({
  /** Id of the review. */
  id: z.uuid(),
  /** Id of its tenant. */
  tenant_id: z.uuid(),
  /** Name of its tenant. */
  tenant_name: z.string(),
  /** Id of the task that pulled the review. */
  task_id: z.uuid(),
  /** Google's id of the place. */
  place_id: z.string(),
  /** Name of the place, if known. */
  place_name: z.nullable(z.string()),
  /** Address of the place, if known. */
  place_address: z.nullable(z.string()),
  /** One to five stars. */
  rating: z.number(),
  /** First pull with the review. */
  first_seen_at: moment,
})
export type AttentionReview = z.infer<typeof attentionReview>

/** A proxy with an ignored `X-Forwarded-For`: the sign-in rate limits count all its visitors as a single client. */
const untrustedProxy = z.object({
  /** Network address of the proxy. */
  address: z.string(),
  /** The last call through the proxy. */
  seen_at: moment,
  /** What to change, as a sentence. */
  advice: z.string(),
})
export type UntrustedProxy = z.infer<typeof untrustedProxy>

/** Records that need attention, by the same rules as the filters of the lists. */
export const attention = z.object({
  /** Active tenants without an active user of the role admin. Tenants with the most users come first. */
  tenants_without_admin: group(attentionTenant),
  /** Keys that a scanner reported as leaked, until they are revoked, have ended or are deleted. The latest come first. */
  keys_reported: group(
    z.extend(attentionKey, {
      /** The first report. */
      reported_at: moment,
      /** Whether the key is switched on. */
      is_active: z.boolean(),
    }),
  ),
  /** Active keys without a successor in their last 14 days, by expiry. */
  keys_expiring: group(
    z.extend(attentionKey, {
      /** Expiry of the key. */
      expires_at: moment,
    }),
  ),
  /** Keys of active tenants refused at least once in the last seven days, the most refused first. */
  keys_refused: z.extend(group(refusedKey), {
    /** Refused keys of inactive tenants, which are not in `count`. */
    of_inactive_tenants: z.int(),
  }),
  /** Failing tasks, the most failures in a row first. */
  tasks_failing: group(attentionTask),
  /** Paused tasks. Those paused after failures come before tasks paused by an admin. */
  tasks_paused: group(attentionTask),
  /** Tasks with a run overdue by ten minutes, longest delay first. */
  tasks_late: group(attentionTask),
  /** New low ratings: one or two stars, first returned by Google in the last seven days. The newest come first. */
  reviews_low: group(attentionReview),
  /** The proxy whose `X-Forwarded-For` the answering server ignored within the last hour. Null without one, and for one tenant. */
  untrusted_proxy: z.nullable(untrustedProxy),
})
export type Attention = z.infer<typeof attention>

const url = '/api/v1/admin/analytics'
const tags = ['Analytics']

/** Numbers of users, from the counters of the database. */
export const getUserAnalytics = endpoint('GET', `${url}/users`, {
  config: { capability: 'view' },
  operationId: 'analytics.users',
  summary: 'Count users',
  tags,
  response: { 200: userAnalytics },
})

/** Numbers of tenants, from the counters of the database. */
export const getTenantAnalytics = endpoint('GET', `${url}/tenants`, {
  config: { capability: 'view' },
  operationId: 'analytics.tenants',
  summary: 'Count tenants',
  tags,
  response: { 200: tenantAnalytics },
})

/** Tenants, keys and tasks in need of attention, with their numbers; with `tenant_id`, those of one tenant. */
export const getAttention = endpoint('GET', `${url}/attention`, {
  config: { capability: 'view' },
  operationId: 'analytics.attention',
  summary: 'List records that need attention',
  tags,
  querystring: z.strictObject({
    /** The tenant whose records are meant. Without it, all tenants. */
    tenant_id: z.optional(z.uuid()),
  }),
  response: { 200: attention },
})

/** New users, new tenants and calls by day, from the counters of the database. */
export const getTrends = endpoint('GET', `${url}/trends`, {
  config: { capability: 'view' },
  operationId: 'analytics.trends',
  summary: 'Compare the last days with the same number of days before',
  tags,
  querystring: trendsQuery,
  response: { 200: trends },
})

/** Which of the first steps are done: a tenant, a user, an API key, an accepted call, a task. */
export const getFirstSteps = endpoint('GET', `${url}/first-steps`, {
  config: { capability: 'view' },
  operationId: 'analytics.first_steps',
  summary: 'Read the state of the first steps',
  tags,
  response: { 200: firstSteps },
})
