-- Tasks: schedules of tenants, and what became of them. The jobs that carry runs to the workers are pg-boss's and live
-- in a schema of its own (pgboss); what people see is here.

create table tasks (
  id                 uuid primary key default gen_random_uuid(),
  tenant_id          uuid not null references tenants on delete cascade,
  tenant_name        text collate "und-x-icu" not null default '',  -- the tenant's, kept by triggers: to sort and search by
  schedule_name      text not null check (schedule_name in ('pull_google_review')),
  frequency          text not null check (frequency in ('monthly', 'biweekly', 'weekly', 'daily')),
  extra_data         jsonb not null check (extra_data ? 'place_id'),  -- place_id, and how the place was found
  created_at         timestamptz(3) not null default now(),  -- the anchor: all times of the schedule are counted from here
  next_run           timestamptz(3) not null,        -- only moves forward when it comes due, also of a paused task
  last_run           timestamptz(3),                 -- end of the last successful run
  last_outcome       text check (last_outcome in ('succeeded', 'failed')),  -- of the last run that was not skipped
  failures_in_a_row  integer not null default 0,     -- that trying again cannot mend, since the last success
  is_paused          boolean not null default false,
  paused_reason      text,                           -- why it paused itself; null when an admin did
  -- What Google said of the place at the last success; null also when reviews are not kept.
  pulled_place       jsonb,
  are_reviews_kept   boolean,                        -- at the last success; null before
  version            integer not null default 1,     -- grows with every change that is not a run
  -- What search looks through; the leading spaces as in tenants.
  search_text        text not null generated always as (
    ' ' || lower(tenant_name) || E'\n ' || replace(schedule_name, '_', ' ') || E'\n ' || schedule_name
    || E'\n ' || lower(coalesce(extra_data ->> 'place_name', '')) || E'\n ' || lower(coalesce(extra_data ->> 'place_address', ''))
    || E'\n ' || lower(extra_data ->> 'place_id')
  ) stored,
  constraint tasks_paused_reason_of_paused check (paused_reason is null or is_paused)
);

create index tasks_search on tasks using gin (search_text gin_trgm_ops);

-- One index for each way to sort, with the id to break ties, and one for each filter. The first is also how due tasks
-- are found.
create index tasks_by_next_run on tasks (next_run, id);
create index tasks_by_created_at on tasks (created_at, id);
create index tasks_by_tenant_name on tasks (tenant_name, id);
create index tasks_by_tenant on tasks (tenant_id, created_at, id);
create index tasks_by_frequency on tasks (frequency, created_at, id);
create index tasks_paused on tasks (created_at, id) where is_paused;
create index tasks_failing on tasks (created_at, id) where last_outcome = 'failed';

-- The tenant's name, when a task is made and when the tenant is renamed.
create function name_tenant_of_task() returns trigger
language plpgsql as $$
begin
  select name into new.tenant_name from tenants where id = new.tenant_id;
  -- Without a tenant the foreign key says so.
  new.tenant_name := coalesce(new.tenant_name, '');
  return new;
end $$;

create trigger tasks_named_on_insert before insert on tasks for each row
execute function name_tenant_of_task();

create function rename_tenant_of_tasks() returns trigger
language plpgsql as $$
begin
  update tasks set tenant_name = new.name where tenant_id = new.id;
  return null;
end $$;

create trigger tenants_renamed_in_tasks after update on tenants for each row
when (old.name <> new.name) execute function rename_tenant_of_tasks();

-- How many tasks a tenant has, in the same transaction as the change, one update a tenant and statement.
alter table tenants add column task_count integer not null default 0;

create function count_tasks_of_tenants() returns trigger
language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update tenants set task_count = task_count + n
    from (select tenant_id, count(*) as n from added group by tenant_id) as counted where id = tenant_id;
  else
    update tenants set task_count = task_count - n
    from (select tenant_id, count(*) as n from removed group by tenant_id) as counted where id = tenant_id;
  end if;
  return null;
end $$;

create trigger tasks_counted_on_insert after insert on tasks
referencing new table as added for each statement execute function count_tasks_of_tenants();
create trigger tasks_counted_on_delete after delete on tasks
referencing old table as removed for each statement execute function count_tasks_of_tenants();

-- One execution of a task, from the moment its time has come.
create table task_runs (
  id                uuid primary key default gen_random_uuid(),
  task_id           uuid not null references tasks on delete cascade,
  trigger           text not null check (trigger in ('schedule', 'manual')),
  started_by        text,                          -- e-mail of the admin, as it was then
  outcome           text not null check (outcome in ('queued', 'running', 'retrying', 'succeeded', 'failed', 'skipped')),
  attempts          integer not null default 0,    -- also the fence: only the newest attempt may write the end
  interruptions     integer not null default 0,    -- attempts whose worker was lost
  created_at        timestamptz(3) not null default now(),
  started_at        timestamptz(3),                -- of the first attempt
  finished_at       timestamptz(3),
  retry_at          timestamptz(3),                -- when the next attempt may begin
  reason            text,                          -- a stable code
  message           text,                          -- the same for people
  reviews_returned  integer,
  reviews_new       integer,                       -- this and the next are unknown when reviews are not kept
  reviews_changed   integer,
  constraint task_runs_end_is_final
    check ((finished_at is null) = (outcome in ('queued', 'running', 'retrying'))),
  constraint task_runs_retry_is_planned check ((retry_at is not null) = (outcome = 'retrying'))
);

-- One unfinished run of a task, whoever starts them at once.
create unique index task_runs_one_at_a_time on task_runs (task_id) where finished_at is null;
create index task_runs_by_task on task_runs (task_id, created_at, id);
create index task_runs_by_outcome on task_runs (task_id, outcome, created_at, id);

-- Webhooks that were heard: the same one again is refused. Kept as long as its timestamp would be taken.
create table task_webhooks (
  task_id      uuid not null references tasks on delete cascade,
  sent_at      timestamptz(3) not null,            -- the timestamp in it
  received_at  timestamptz(3) not null default now(),
  primary key (task_id, sent_at)
);

create index task_webhooks_by_time on task_webhooks (received_at);

-- Reviews by Google's name of them. Those of the last pull have last_seen_at = tasks.last_run.
create table task_reviews (
  task_id           uuid not null references tasks on delete cascade,
  name              text not null,
  rank              integer not null,              -- in Google's order, from 1
  author_name       text,
  author_uri        text,
  author_photo_uri  text,
  rating            numeric(2,1),
  text              text,
  language          text,
  original_text     text,
  publish_time      timestamptz(3),
  google_maps_uri   text,
  first_seen_at     timestamptz(3) not null,
  last_seen_at      timestamptz(3) not null,       -- thirty days later it is removed
  last_changed_at   timestamptz(3) not null,
  primary key (task_id, name)
);

create index task_reviews_by_last_seen on task_reviews (last_seen_at);
