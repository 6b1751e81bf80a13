-- Use of API keys: their calls by day, hour and outcome, their last use, and the origins that they refused.

-- Results of key checks per day in UTC, written in batches by every ai-api.
create table api_key_outcomes (
  api_key_id  uuid not null references api_keys on delete cascade,
  day         date not null,
  environment text not null default 'live' check (environment in ('live', 'test')),  -- of the key
  outcome     text not null
    check (outcome in ('valid', 'revoked', 'tenant_inactive', 'disabled', 'expired', 'origin_refused')),
  count       bigint not null,
  last_at     timestamptz(3) not null,                -- last check of the day with this outcome, at most two seconds late
  primary key (api_key_id, day, outcome)
) with (fillfactor = 70);                             -- updated often: leaves room for HOT updates

create index api_key_outcomes_refused on api_key_outcomes (day, api_key_id) where outcome <> 'valid';

-- The accepted calls of the recent days, for the sort by calls.
create index api_key_outcomes_accepted on api_key_outcomes (day) where outcome = 'valid';

-- The last written batch of each running ai-api. A batch is sent again when its answer was lost; this row makes the
-- second write a no-op.
create table api_key_use_writers (
  id     uuid primary key,                            -- random, new at each start of the process
  batch  integer not null,
  at     timestamptz(3) not null
);

-- Results of key checks per hour, written with the results per day. The worker deletes them after two days.
create table api_key_hours (
  api_key_id  uuid not null references api_keys on delete cascade,
  hour        timestamptz(3) not null,
  outcome     text not null
    check (outcome in ('valid', 'revoked', 'tenant_inactive', 'disabled', 'expired', 'origin_refused')),
  count       bigint not null,
  primary key (api_key_id, hour, outcome)
) with (fillfactor = 70);                             -- updated often, as api_key_outcomes

create index api_key_hours_by_hour on api_key_hours (hour);

-- Origins of refused calls, normalized. Anyone who knows a key can make up origins, so a key has at most 20 rows. The worker
-- deletes origins without a call for 30 days.
create table api_key_refused_origins (
  api_key_id  uuid not null references api_keys on delete cascade,
  origin      text check (char_length(origin) <= 255),  -- null: calls without a readable origin
  count       bigint not null,                        -- a lower bound
  last_at     timestamptz(3) not null,
  constraint api_key_refused_origins_unique unique nulls not distinct (api_key_id, origin)
);

create index api_key_refused_origins_by_last_at on api_key_refused_origins (last_at);

-- Keeps the ten newest and the ten most frequent origins of a key: a flood of origins replaces the newest only.
create function keep_refused_origins() returns trigger
language plpgsql as $$
begin
  delete from api_key_refused_origins where ctid = any(array(
    select ctid from (
      select stored.ctid,
        row_number() over (partition by api_key_id order by last_at desc, count desc, origin) as by_time,
        row_number() over (partition by api_key_id order by count desc, last_at desc, origin) as by_count
      from api_key_refused_origins as stored where api_key_id in (select api_key_id from added)
    ) as ranked
    where by_time > 10 and by_count > 10
  ));
  return null;
end $$;

create trigger api_key_refused_origins_kept after insert on api_key_refused_origins
referencing new table as added for each statement execute function keep_refused_origins();

create function check_facet(outcome text, environment text) returns text
language sql immutable
return case environment when 'test' then 'test_' else '' end || case outcome when 'valid' then 'accepted' else 'refused' end;

-- Use of API keys is folded: a worker moves the rows of api_key_outcomes of a month, 90 days after its end, to the first day of
-- the month. The counters of the trends keep their days.

-- The first day whose rows keep their day.
create function key_use_folded_before() returns date
language sql stable as $$
  select date_trunc('month', (now() at time zone 'UTC')::date - 90)::date
$$;

-- Spreads the step of a folded month over the days of the month, in proportion to their counters: a deleted key takes its share
-- from each day, and no day falls below zero. All other steps stay.
create function spread_key_checks(steps jsonb) returns jsonb
language sql stable as $$
  select jsonb_agg(jsonb_build_object(
    'facet', given.facet,
    'value', coalesce(counted.value, given.value),
    -- The sums of rounded shares up to each day end with exactly the step.
    'step', coalesce(div(step * counted_until, total) - div(step * (counted_until - count), total), step)
  ))
  from jsonb_to_recordset(steps) as given (facet text, value text, step bigint)
  left join lateral (
    select value, sum(count) as count, sum(sum(count)) over (order by value) as counted_until, sum(sum(count)) over () as total
    from counters
    where noun = 'api_key_outcomes' and counters.facet = given.facet
      and counters.value between given.value and left(given.value, 8) || '31'
    group by value
  ) as counted on given.value like '%-01' and given.value::date < key_use_folded_before() and total > 0
$$;

create function count_key_checks() returns trigger
language plpgsql as $$
declare
  steps jsonb;
begin
  if current_setting('switchboard.is_folding', true) = 'on' then return null; end if;
  case tg_op
  when 'INSERT' then
    select jsonb_agg(sums) into steps from (
      select check_facet(outcome, environment) as facet, day as value, sum(count) as step from added group by 1, 2
    ) as sums;
  when 'DELETE' then
    select jsonb_agg(sums) into steps from (
      select check_facet(outcome, environment) as facet, day as value, -sum(count) as step from removed group by 1, 2
    ) as sums;
  when 'UPDATE' then
    select jsonb_agg(sums) into steps from (
      select check_facet(outcome, environment) as facet, day as value, sum(step) as step
      from (
        select outcome, environment, day, count as step from added
        union all select outcome, environment, day, -count from removed
      ) as changed
      group by 1, 2 having sum(step) <> 0
    ) as sums;
  end case;
  if steps is not null then perform add_to_counters(tg_table_name, spread_key_checks(steps)); end if;
  return null;
end $$;

create trigger api_key_outcomes_counted_on_insert after insert on api_key_outcomes
referencing new table as added for each statement execute function count_key_checks();
create trigger api_key_outcomes_counted_on_delete after delete on api_key_outcomes
referencing old table as removed for each statement execute function count_key_checks();
create trigger api_key_outcomes_counted_on_update after update on api_key_outcomes
referencing old table as removed new table as added for each statement execute function count_key_checks();
create trigger api_key_outcomes_counted_on_truncate after truncate on api_key_outcomes
for each statement execute function forget_counters();

-- Moves at most `most` rows of the oldest day that is not folded to the first day of its month. Returns their number. A key that
-- is deleted or changes its secret at the moment is left to the next fold.
create function fold_key_use(most integer) returns integer
language plpgsql as $$
declare
  oldest date;
  moved integer;
begin
  -- The first rows of each month by the partial indexes of both kinds of outcomes.
  select min(unfolded.day) into oldest
  from generate_series(
    date_trunc('month', least(
      (select min(day) from api_key_outcomes where outcome = 'valid'),
      (select min(day) from api_key_outcomes where outcome <> 'valid')
    )::timestamp),
    key_use_folded_before() - interval '1 month',
    interval '1 month'
  ) as month
  cross join lateral (
    (
      select day from api_key_outcomes
      where outcome = 'valid' and day > month::date and day < (month + interval '1 month')::date order by day limit 1
    )
    union all
    (
      select day from api_key_outcomes
      where outcome <> 'valid' and day > month::date and day < (month + interval '1 month')::date order by day limit 1
    )
  ) as unfolded;
  perform set_config('switchboard.is_folding', 'on', true);
  with folded as (
    delete from api_key_outcomes where ctid = any(array(
      select api_key_outcomes.ctid from api_key_outcomes join api_keys on api_keys.id = api_key_id
      where day = oldest order by api_key_id limit most
      for update of api_key_outcomes skip locked for key share of api_keys skip locked
    ))
    returning *
  )
  insert into api_key_outcomes as stored (api_key_id, environment, day, outcome, count, last_at)
  select api_key_id, environment, date_trunc('month', day)::date, outcome, count, last_at
  from folded order by api_key_id, outcome
  on conflict (api_key_id, day, outcome) do update
  set count = stored.count + excluded.count, last_at = greatest(stored.last_at, excluded.last_at);
  get diagnostics moved = row_count;
  perform set_config('switchboard.is_folding', 'off', true);
  return moved;
end $$;

-- The last use of each API key up to a day. The list by last use reads these rows and the calls since: a look-up in
-- api_key_outcomes for each of 200,000 keys takes more than a second.

-- A restore fills the tables of keys in reverse order of their names: this one before api_key_outcomes, whose trigger adds rows.
create table api_keys_last_used (
  api_key_id    uuid primary key references api_keys on delete cascade,
  last_used_at  timestamptz(3) not null                 -- last accepted check up to the day
) with (fillfactor = 70);                               -- updated once a day: leaves room for HOT updates

-- The day, a single row. Writers of calls of this day and of days before lock it.
create table api_keys_last_used_until (day date not null);

-- Calls of ended days are written by restores of deleted keys and tenants. Calls of the current day need no work.
create function keep_uses_of_ended_days() returns trigger
language plpgsql as $$
declare
  until date;
begin
  if not exists (select from added where day < (now() at time zone 'UTC')::date) then return null; end if;
  select day into until from api_keys_last_used_until for share;
  insert into api_keys_last_used as stored (api_key_id, last_used_at)
  select api_key_id, max(last_at) from added where outcome = 'valid' and day <= until group by api_key_id order by api_key_id
  on conflict (api_key_id) do update set last_used_at = excluded.last_used_at where stored.last_used_at < excluded.last_used_at;
  return null;
end $$;

-- Folded calls are kept already.
create trigger api_key_outcomes_kept after insert on api_key_outcomes
referencing new table as added for each statement
when (current_setting('switchboard.is_folding', true) is distinct from 'on')
execute function keep_uses_of_ended_days();

-- The calls of a day are all committed an hour after its end.
insert into api_keys_last_used_until (day) values (((now() - interval '1 hour') at time zone 'UTC')::date - 1);

create function keep_last_uses(most integer) returns integer
language plpgsql as $$
declare
  until date;
  unended constant date := ((now() - interval '1 hour') at time zone 'UTC')::date;
  ended date;
  found_count integer;
  kept_count integer;
begin
  select day into until from api_keys_last_used_until for update skip locked;
  if until >= unended then
    update api_keys_last_used_until set day = unended - 30 returning day into until;
  end if;
  select min(day) into ended from api_key_outcomes
  where outcome = 'valid' and day > until and day < unended;
  if ended is null then return 0; end if;
  with unkept as materialized (
    select api_key_id, last_at from api_key_outcomes left join api_keys_last_used as stored using (api_key_id)
    where outcome = 'valid' and day = ended and (stored.last_used_at is null or stored.last_used_at < last_at)
    order by api_key_id limit most
  ), locked as (
    select api_key_id, last_at from unkept join api_keys on api_keys.id = api_key_id
    order by api_key_id for key share of api_keys skip locked
  ), kept as (
    insert into api_keys_last_used as stored (api_key_id, last_used_at) select api_key_id, last_at from locked
    on conflict (api_key_id) do update set last_used_at = greatest(stored.last_used_at, excluded.last_used_at)
    returning 1
  )
  select (select count(*) from unkept), (select count(*) from kept) into found_count, kept_count;
  if found_count < most and kept_count = found_count then
    update api_keys_last_used_until set day = ended;
  end if;
  return kept_count;
end $$;

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
