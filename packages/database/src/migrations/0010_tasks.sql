-- Tasks: the schedules of tenants. pg-boss keeps its job queue in a separate schema (pgboss).

create table tasks (
  id                 uuid primary key default gen_random_uuid(),
  tenant_id          uuid not null references tenants on delete cascade,
  tenant_name        text collate "und-x-icu" not null default '',  -- copied by triggers, for sorting and search
  tenant_status      text not null default 'active' check (tenant_status in ('active', 'inactive')),  -- likewise, for the state
  schedule_name      text not null check (schedule_name in ('pull_google_review')),
  frequency          text not null check (frequency in ('monthly', 'biweekly', 'weekly', 'daily')),
  -- A time of day in a time zone. Both null: the time of day at which the task was created, in UTC.
  run_time           text check (run_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  time_zone          text,                           -- name in the IANA database
  extra_data         jsonb not null check (extra_data ? 'place_id'),  -- place_id, and the search that found the place
  created_at         timestamptz(3) not null default now(),  -- the anchor: all times of the schedule derive from it
  updated_at         timestamptz(3) not null default now(),  -- when `version` grew, or the task was restored
  next_run           timestamptz(3) not null,        -- moves forward when due, even while the task is paused
  last_run           timestamptz(3),                 -- end of the last successful run
  last_outcome       text check (last_outcome in ('succeeded', 'failed')),  -- of the last run that was not skipped
  failures_in_a_row  integer not null default 0,     -- permanent failures since the last success
  is_paused          boolean not null default false,
  paused_reason      text,                           -- why the worker paused the task; null when a user paused it
  pulled_place       jsonb,                          -- the place at the last success; null when reviews are not stored
  are_reviews_kept   boolean,                        -- whether the last success stored reviews; null before the first
  version            integer not null default 1,     -- grows with every change except a run
  -- Text for substring search, with leading spaces as in tenants.
  search_text        text not null generated always as (
    ' ' || lower(tenant_name) || E'\n ' || replace(schedule_name, '_', ' ') || E'\n ' || schedule_name
    || E'\n ' || lower(coalesce(extra_data ->> 'place_name', '')) || E'\n ' || lower(coalesce(extra_data ->> 'place_address', ''))
    || E'\n ' || lower(extra_data ->> 'place_id')
  ) stored,
  constraint tasks_time_has_zone check ((run_time is null) = (time_zone is null)),
  constraint tasks_paused_reason_of_paused check (paused_reason is null or is_paused)
);

-- A second task for the same place would double the calls to Google.
create unique index tasks_once_for_a_place on tasks (tenant_id, schedule_name, (extra_data ->> 'place_id'));

create index tasks_search on tasks using gin (search_text gin_trgm_ops);

-- One index per sort order, with the id as the tie-breaker. The first also finds due tasks.
create index tasks_by_next_run on tasks (next_run, id);
create index tasks_by_created_at on tasks (created_at, id);
create index tasks_by_updated_at on tasks (updated_at, id);
create index tasks_by_tenant_name on tasks (tenant_name, id);
-- One index per filter, and per state and sort order. Running, retrying and late tasks are found by their runs and by `next_run`.
create index tasks_by_tenant on tasks (tenant_id, created_at, id);
create index tasks_by_frequency on tasks (frequency, created_at, id);
create index tasks_on_schedule on tasks (created_at, id) include (next_run)
where not is_paused and tenant_status = 'active' and last_outcome is distinct from 'failed';
create index tasks_paused on tasks (created_at, id) where is_paused and tenant_status = 'active';
create index tasks_paused_by_tenant_name on tasks (tenant_name, id) where is_paused and tenant_status = 'active';
create index tasks_paused_by_next_run on tasks (next_run, id) where is_paused and tenant_status = 'active';
create index tasks_failing on tasks (created_at, id) include (next_run)
where not is_paused and tenant_status = 'active' and last_outcome = 'failed';
create index tasks_failing_by_tenant_name on tasks (tenant_name, id) include (next_run)
where not is_paused and tenant_status = 'active' and last_outcome = 'failed';
create index tasks_failing_by_next_run on tasks (next_run, id)
where not is_paused and tenant_status = 'active' and last_outcome = 'failed';
create index tasks_of_inactive_tenants on tasks (created_at, id) where tenant_status = 'inactive';
create index tasks_of_inactive_tenants_by_tenant_name on tasks (tenant_name, id) where tenant_status = 'inactive';
create index tasks_of_inactive_tenants_by_next_run on tasks (next_run, id) where tenant_status = 'inactive';

-- The command palette finds tasks by the id and by the name of their place. palette.queries.ts repeats the expressions.
create index tasks_by_place_id on tasks ((extra_data ->> 'place_id'));
create index tasks_by_place_name on tasks (lower(extra_data ->> 'place_name'));
-- Text for substring search, with leading spaces as in tenants.
create index tasks_place_search on tasks using gin ((
  (
    ' ' || lower(coalesce(extra_data ->> 'place_name', '') collate "und-x-icu")
    || E'\n ' || lower(extra_data ->> 'place_id')
  ) collate "default"
) gin_trgm_ops);

create trigger tasks_updated before update on tasks for each row
when (old.version <> new.version) execute function note_update();

create function copy_tenant_of_task() returns trigger
language plpgsql as $$
begin
  -- Without a tenant the foreign key fails later.
  select coalesce(max(name), ''), coalesce(max(status), 'active') into new.tenant_name, new.tenant_status
  from tenants where id = new.tenant_id;
  return new;
end $$;

create trigger tasks_of_tenant_on_insert before insert on tasks for each row execute function copy_tenant_of_task();

create function copy_tenant_to_tasks() returns trigger
language plpgsql as $$
begin
  update tasks set tenant_name = new.name, tenant_status = new.status where tenant_id = new.id;
  return null;
end $$;

create trigger tenants_copied_to_tasks after update on tenants for each row
when ((old.name, old.status) is distinct from (new.name, new.status)) execute function copy_tenant_to_tasks();
