-- Alerts: what needs attention, whom it was told, and who has read it. A worker looks every few seconds.

-- Rules that somebody has changed. A kind without a row has the rule of the contract (signals/alerts.ts).
create table alert_rules (
  kind          text primary key,
  is_on         boolean not null,
  is_urgent     boolean not null,             -- also tells during quiet hours
  threshold     integer,                      -- null: the kind has none
  user_ids      uuid[],                       -- who gets a mail; null: all super admins. No foreign keys: gone people are skipped
  webhook_ids  uuid[] not null default '{}'  -- likewise
);

-- When messages are sent.
create table alert_settings (
  is_only         boolean primary key default true check (is_only),
  quiet_from      text,                       -- 22:00; all three are null without quiet hours
  quiet_to        text,
  quiet_zone      text,
  digest_minutes  integer not null,           -- from one message to the next
  constraint alert_settings_quiet_hours_whole
    check (num_nulls(quiet_from, quiet_to, quiet_zone) in (0, 3))
);
insert into alert_settings (digest_minutes) values (5);

-- The position in the audit log. The row lock elects the worker that looks.
create table alert_reader (
  is_only       boolean primary key default true check (is_only),
  seq           bigint not null,
  evaluated_at  timestamptz(3),
  told_at       timestamptz(3)                -- the last message
);
insert into alert_reader (seq) select seq from audit_head;

-- No foreign keys: an alert outlives its record. Deleted 90 days after its end.
create table alerts (
  id           uuid primary key default gen_random_uuid(),
  seq          bigint generated always as identity,
  kind         text not null,
  cause        text not null,                 -- what tells two alerts of a kind apart, such as the id of the key
  text         text not null,                 -- a sentence
  target_type  text,                          -- as in audit_log; null: the installation
  target_id    uuid,
  target_name  text,
  tenant_id    uuid,
  opened_at    timestamptz(3) not null,
  resolved_at  timestamptz(3),                -- null: open, or something that happened
  news         text check (news in ('opened', 'resolved'))  -- what nobody was told yet
);

-- Once per cause.
create unique index alerts_once on alerts (kind, cause) where resolved_at is null;
create unique index alerts_by_seq on alerts (seq);
create index alerts_with_news on alerts (seq) where news is not null;
create index alerts_by_end on alerts (coalesce(resolved_at, opened_at));

-- The alerts that a person has marked as read.
create table alert_reads (
  user_id   uuid not null references users on delete cascade,
  alert_id  uuid not null references alerts on delete cascade,
  primary key (user_id, alert_id)
);

create index alert_reads_by_alert on alert_reads (alert_id);

-- A mail to one person about all alerts of one message. Deleted after 30 days.
create table alert_mails (
  id             uuid primary key default gen_random_uuid(),
  mail_to        text not null,
  opened         uuid[] not null,             -- alerts
  resolved       uuid[] not null,
  created_at     timestamptz(3) not null default now(),
  mail_state     text not null default 'queued' check (mail_state in ('queued', 'sent', 'failed')),
  mail_attempts  integer not null default 0,
  attempted_at   timestamptz(3),              -- start of the last attempt
  mail_problem   text                         -- reason of the last failed attempt, as a sentence
);

create index alert_mails_by_time on alert_mails (created_at);
create index alert_mails_queued on alert_mails (created_at) where mail_state = 'queued';
