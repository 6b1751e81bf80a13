import * as z from 'zod/mini'

/** Reasons of failed, retried and skipped runs. Stable codes. */
export const RUN_REASONS = [
  // The place has to change.
  'place_malformed',
  'place_obsolete',
  // Google cannot answer for a while.
  'quota_day',
  'quota_minute',
  'unavailable',
  'unreachable',
  'timeout',
  'unreadable',
  'too_large',
  // Operators have to act.
  'not_configured',
  'key_invalid',
  'service_disabled',
  'billing_disabled',
  'project_suspended',
  'key_service_blocked',
  'key_address_blocked',
  'key_referrer_blocked',
  'refused',
  'bad_request',
  'redirected',
  'broken_off',
  'job_lost',
  // The run was skipped.
  'task_paused',
  'tenant_inactive',
  'already_running',
  'place_changed',
] as const
/** A reason of a failed, retried or skipped run. */
export const runReason = z.enum(RUN_REASONS)
export type RunReason = z.infer<typeof runReason>
