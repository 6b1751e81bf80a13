-- Runs: one execution of a task, from the moment it is due.

create table runs (
  id                uuid primary key default gen_random_uuid(),
  task_id           uuid not null references tasks on delete cascade,
  trigger           text not null check (trigger in ('schedule', 'manual')),
  started_by        text,                          -- e-mail address of the user at that time
  outcome           text not null check (outcome in ('queued', 'running', 'retrying', 'succeeded', 'failed', 'skipped')),
  attempts          integer not null default 0,    -- also the fencing token: only the newest attempt may write the end
  interruptions     integer not null default 0,    -- attempts whose worker was lost
  created_at        timestamptz(3) not null default now(),
  started_at        timestamptz(3),                -- of the first attempt
  finished_at       timestamptz(3),
  retry_at          timestamptz(3),                -- when the next attempt may begin
  reason            text,                          -- stable code
  message           text,                          -- the reason as a sentence
  reviews_returned  integer,
  reviews_new       integer,                       -- like reviews_changed, null when reviews are not stored
  reviews_changed   integer,
  constraint runs_end_is_final check ((finished_at is null) = (outcome in ('queued', 'running', 'retrying'))),
  constraint runs_retry_is_planned check ((retry_at is not null) = (outcome = 'retrying'))
);

-- A task has at most one unfinished run.
create unique index runs_one_at_a_time on runs (task_id) where finished_at is null;
create index runs_by_task on runs (task_id, created_at, id);
create index runs_by_outcome on runs (task_id, outcome, created_at, id);
-- The list of all runs: one index per sort order, and one per filter. The runs of a tenant and of a search are found
-- through their tasks.
create index runs_by_created_at on runs (created_at, id);
create index runs_by_duration on runs ((coalesce(extract(epoch from finished_at - started_at), -1)), id);
create index runs_by_any_outcome on runs (outcome, created_at, id);
create index runs_by_reason on runs (reason, created_at, id) where reason is not null;
-- "Needs attention": runs that wait too long.
create index runs_queued on runs (created_at) where outcome = 'queued';
-- Live screens learn of a new end.
create index runs_by_end on runs (finished_at);

-- Received webhooks, so that a replay is refused. Deleted once the timestamp is too old to be accepted.
create table task_webhooks (
  task_id      uuid not null references tasks on delete cascade,
  sent_at      timestamptz(3) not null,            -- timestamp in the webhook
  received_at  timestamptz(3) not null default now(),
  message_id   text not null,                      -- header `webhook-id`
  primary key (task_id, sent_at)
);

create unique index task_webhooks_message_id_unique on task_webhooks (message_id);
create index task_webhooks_by_time on task_webhooks (received_at);
