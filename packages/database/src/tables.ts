import type { AuditOutcome } from '@switchboard/contract/activity/audit-outcome'
import type { Role } from '@switchboard/contract/auth/current-admin'
import type { KeyEnvironment } from '@switchboard/contract/api-keys/key-environment'
import type { ViewedList } from '@switchboard/contract/list-views'
import type { KeyOutcome } from '@switchboard/contract/api-keys/key-outcomes'
import type { Frequency } from '@switchboard/contract/tasks/schedule'
import type { PulledPlace } from '@switchboard/contract/reviews'
import type { RunOutcome, RunTrigger } from '@switchboard/contract/runs'
import type { LastOutcome, TaskPlace } from '@switchboard/contract/tasks'
import type { BackupKind, BackupMaker } from '@switchboard/contract/system'
import type { DeclaredVariables } from '@switchboard/contract/prompts/variables'
import type { ScheduleName } from '@switchboard/contract/tasks/schedule-names'
import type { TenantType } from '@switchboard/contract/tenants'
import type { CustomFields } from '@switchboard/contract/tenants/custom-fields'
import type { TenantStatus } from '@switchboard/contract/tenants/tenant-status'
import type { Generated, JSONColumnType } from 'kysely'
import type { AuditTables } from './audit-tables.ts'
import type { CountedNoun, DeletedTable, GeneratedMoment, Moment, ReadOnly } from './column-types.ts'
import type { SecondFactorTables } from './second-factor-tables.ts'
import type { SignalTables } from './signal-tables.ts'
import type { TeamTables } from './team-tables.ts'

/** The tables of the migrations. A law test compares both. */
export interface Database extends AuditTables, SecondFactorTables, SignalTables, TeamTables {
  api_key_calls: {
    api_key_id: string
    environment: Generated<KeyEnvironment>
    since: Moment
    unit: Generated<'hour' | 'day' | 'month'>
    outcome: KeyOutcome
    count: number
    last_at: Moment
  }

  api_key_refused_origins: {
    api_key_id: string
    origin: string | null
    count: number
    last_at: Moment
  }

  api_keys: {
    id: Generated<string>
    tenant_id: string
    name: string
    description: Generated<string>
    environment: Generated<KeyEnvironment>
    key_hash: Buffer
    key_prefix: string
    key_start: string
    key_last4: string
    allowed_origins: Generated<string[]>
    is_active: Generated<boolean>
    created_at: GeneratedMoment
    updated_at: GeneratedMoment
    last_used_at: Moment | null
    expires_at: Moment | null
    revoked_at: Moment | null
    noted_expiry: Moment | null
    reported_at: Moment | null
    reported_url: string | null
    rotated_from: string | null
    rotated_at: Moment | null
    grace_ends_at: Moment | null
    original_expires_at: Moment | null
    version: Generated<number>
    calls_before_rotation: number | null
    tenant_name: ReadOnly<string>
    tenant_subdomain: ReadOnly<string>
    is_replaced: ReadOnly<boolean>
    search_text: ReadOnly<string>
  }

  backups: {
    id: ReadOnly<number>
    kind: BackupKind
    made_by: BackupMaker
    at: GeneratedMoment
    file: string | null
    bytes: number | null
    audit_seq: number | null
    problem: string | null
  }

  counters: {
    id: ReadOnly<number>
    noun: CountedNoun
    facet: string
    value: string
    count: number
  }

  default_list_views: {
    user_id: string
    list: ViewedList
    view_id: string
  }

  deletions: {
    root_id: string
    root_table: DeletedTable
    is_root: boolean
    table_name: string
    record: JSONColumnType<Record<string, unknown>>
    column_name: string | null
    deleted_at: GeneratedMoment
    kept_until: Moment | null
  }

  /** Created by the first migration that runs. */
  list_views: {
    id: Generated<string>
    owner_id: string
    list: ViewedList
    name: string
    search: string
    is_shared: boolean
    created_at: GeneratedMoment
  }

  migrations: {
    name: string
    sha256: string
    applied_at: GeneratedMoment
  }

  place_lookups: {
    id: ReadOnly<number>
    user_id: string
    at: Moment
  }

  portal_sign_ins: {
    id: ReadOnly<number>
    tenant_id: string
    user_id: string | null
    email: string | null
    at: Moment
    outcome: AuditOutcome
    reason: string | null
    address: string | null
    request_id: string | null
  }

  prompt_templates: {
    id: Generated<string>
    tenant_id: string | null
    prompt_type: string
    version: number
  }

  prompt_versions: {
    id: Generated<string>
    template_id: string
    version: number
    template: string
    declared_variables: JSONColumnType<DeclaredVariables, string | undefined>
    size: ReadOnly<number>
    note: Generated<string>
    author_id: string | null
    author_email: string | null
    restored_from: number | null
    created_at: GeneratedMoment
  }

  place_ratings: {
    task_id: string
    day: string
    rating: number
    user_rating_count: number
  }

  reviews: {
    id: Generated<string>
    task_id: string
    name: string
    rank: number
    author_name: string | null
    author_uri: string | null
    author_photo_uri: string | null
    rating: number | null
    text: string | null
    language: string | null
    original_text: string | null
    publish_time: Moment | null
    google_maps_uri: string | null
    first_seen_at: Moment
    last_seen_at: Moment
    last_changed_at: Moment
    search_text: ReadOnly<string>
  }

  runs: {
    id: Generated<string>
    task_id: string
    trigger: RunTrigger
    started_by: string | null
    outcome: RunOutcome
    attempts: Generated<number>
    interruptions: Generated<number>
    created_at: GeneratedMoment
    started_at: Moment | null
    finished_at: Moment | null
    retry_at: Moment | null
    reason: string | null
    message: string | null
    reviews_returned: number | null
    reviews_new: number | null
    reviews_changed: number | null
  }

  /** One row: the migration that a release must have to work on the schema. */
  schema_floor: {
    migration: string
  }

  task_webhooks: {
    task_id: string
    sent_at: Moment
    received_at: GeneratedMoment
    message_id: string
  }

  tasks: {
    id: Generated<string>
    tenant_id: string
    tenant_name: ReadOnly<string>
    tenant_status: ReadOnly<TenantStatus>
    schedule_name: ScheduleName
    frequency: Frequency
    run_time: string | null
    time_zone: string | null
    extra_data: JSONColumnType<TaskPlace>
    created_at: GeneratedMoment
    updated_at: GeneratedMoment
    next_run: Moment
    last_run: Moment | null
    last_outcome: LastOutcome | null
    failures_in_a_row: Generated<number>
    is_paused: Generated<boolean>
    paused_reason: string | null
    pulled_place: JSONColumnType<PulledPlace> | null
    are_reviews_kept: boolean | null
    version: Generated<number>
    search_text: ReadOnly<string>
  }

  tenant_notes: {
    id: Generated<string>
    tenant_id: string
    text: string
    author_id: string
    author_email: string
    created_at: GeneratedMoment
    edited_at: Moment | null
    search_text: ReadOnly<string>
  }

  tenants: {
    id: Generated<string>
    name: string
    subdomain: string
    status: Generated<TenantStatus>
    tenant_type: TenantType
    goal: Generated<string>
    aggressiveness: Generated<number>
    tags: Generated<string[]>
    custom_fields: JSONColumnType<CustomFields, string | undefined>
    admin_count: Generated<number>
    external_id: string | null
    version: Generated<number>
    created_at: GeneratedMoment
    updated_at: GeneratedMoment
    search_text: ReadOnly<string>
    api_key_count: Generated<number>
    suspension_reason: string | null
    suspended_at: Moment | null
    suspended_until: Moment | null
    task_count: Generated<number>
    active_admin_count: Generated<number>
  }

  users: {
    id: Generated<string>
    email: string
    folded_email: string
    name: string | null
    external_id: string | null
    password_hash: string
    role: Role
    tenant_id: string | null
    is_active: Generated<boolean>
    created_at: GeneratedMoment
    updated_at: GeneratedMoment
    last_sign_in_at: Moment | null
    version: Generated<number>
    must_change_password: Generated<boolean>
    search_text: ReadOnly<string>
    is_break_glass: Generated<boolean>
    may_use_password: Generated<boolean>
  }
}
