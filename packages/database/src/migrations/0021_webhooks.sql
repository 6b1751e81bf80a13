-- Webhooks: addresses that get events of the audit log, and the deliveries to them.

create table webhooks (
  id                 uuid primary key default gen_random_uuid(),
  format             text not null check (format in ('standard', 'slack', 'teams')),
  url                text not null,                     -- of slack and teams only the origin
  description        text not null default '',
  event_types        text[] not null default '{}',      -- empty: every type
  -- standard: the key that signs. slack and teams: the whole address. Encrypted with SECRETS_KEY, as authenticator apps are.
  secret             bytea not null,
  old_secret         bytea,                             -- also signs until the next column, after a rotation
  old_secret_until   timestamptz(3),
  is_active          boolean not null default true,
  disabled_reason    text check (disabled_reason in ('failing', 'gone')),  -- set by the worker
  disabled_at        timestamptz(3),
  failing_since      timestamptz(3),                    -- first failed attempt since the last success
  last_delivered_at  timestamptz(3),
  created_at         timestamptz(3) not null,
  version            integer not null default 1,
  check (not is_active or disabled_reason is null)
);

-- The last entry of the audit log that each webhook has read. Not a column of `webhooks`, because a reader locks its
-- position while deliveries change the webhook.
create table webhook_positions (
  webhook_id  uuid primary key references webhooks on delete cascade,
  seq         bigint not null
);

-- One row for each event of a webhook, planned in the transaction that moves the position. Deleted after 30 days.
create table webhook_deliveries (
  id               uuid primary key default gen_random_uuid(),
  webhook_id       uuid not null references webhooks on delete cascade,
  seq              bigint,                              -- of the entry in the audit log; null: a test
  event_id         text not null,
  event_type       text not null,
  -- The target of the event. Deliveries about one record are sent in the order of the log: only the oldest one that has
  -- not ended has a job.
  record_id        uuid not null default gen_random_uuid(),
  target_name      text,
  body             text not null,                       -- every attempt sends the same bytes
  at               timestamptz(3) not null,             -- time of the event
  state            text not null default 'waiting' check (state in ('waiting', 'retrying', 'delivered', 'failed')),
  job_id           uuid,                                -- of its next or running attempt, and its fencing token; null: none
  attempts         integer not null default 0,          -- that have ended
  began_at         timestamptz(3),                      -- first attempt since the planning or the last replay
  next_attempt_at  timestamptz(3),
  ended_at         timestamptz(3),
  attempted_at     timestamptz(3),                      -- this and the following: the last attempt that ended
  duration_ms      integer,
  status           integer,                             -- null: no answer
  problem          text,                                -- why it failed, as a sentence
  answer           text,                                -- at most 4 kB
  history          jsonb not null default '[]',         -- all attempts: [{"at", "duration_ms", "status", "problem"}]
  check ((ended_at is null) = (state in ('waiting', 'retrying')))
);

create unique index webhook_deliveries_event_unique on webhook_deliveries (webhook_id, seq);
create unique index webhook_deliveries_one_job on webhook_deliveries (webhook_id, record_id) where job_id is not null;
create index webhook_deliveries_without_job on webhook_deliveries (webhook_id, record_id, seq)
  where ended_at is null and job_id is null;
create index webhook_deliveries_unended on webhook_deliveries (webhook_id) where ended_at is null;
create index webhook_deliveries_of_webhook on webhook_deliveries (webhook_id, at, id);
create index webhook_deliveries_by_state on webhook_deliveries (state, at, id);
create index webhook_deliveries_by_time on webhook_deliveries (at, id);
-- Live screens learn of a new end.
create index webhook_deliveries_by_end on webhook_deliveries (ended_at);
