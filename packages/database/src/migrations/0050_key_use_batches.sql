-- Counts of checks of API keys wait here until one of the processes adds them up, so that processes do not wait for each
-- other's rows. The statement that adds a batch to api_key_outcomes, api_key_hours and api_key_refused_origins deletes it.
create table api_key_use_batches (
  id       bigint generated always as identity primary key,
  at       timestamptz(3) not null default now(),
  size     integer not null,                   -- number of usages and hours
  usages   json not null,                      -- key, environment, outcome, count and age in ms of the latest check
  hours    json not null,                      -- key, outcome and count since the last batch with hours
  origins  json not null                       -- key, refused origin, count and age in ms of the latest call
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);  -- every row is deleted within seconds
