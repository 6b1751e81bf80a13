-- Use of API keys: their calls by hour and outcome, folded into days and months, and the origins that they refused.

-- Results of key checks, added by every ai-api. A worker folds hours into days a day after the day ends, and days into
-- months 90 days after the month ends.
create table api_key_calls (
  api_key_id   uuid not null references api_keys on delete cascade,
  environment  text not null default 'live' check (environment in ('live', 'test')),  -- of the key
  since        timestamptz(3) not null,                -- start of the hour, day or month in UTC
  unit         text not null default 'hour' check (unit in ('hour', 'day', 'month')),
  outcome      text not null
    check (outcome in ('valid', 'revoked', 'tenant_inactive', 'disabled', 'expired', 'origin_refused')),
  count        bigint not null,
  last_at      timestamptz(3) not null,                -- last check with this outcome, at most ten seconds late
  primary key (api_key_id, since, outcome)
) with (fillfactor = 70);                              -- updated often: leaves room for HOT updates

-- For the rows to fold.
create index api_key_calls_by_unit on api_key_calls (unit, since);
create index api_key_calls_refused on api_key_calls (since, api_key_id) where outcome <> 'valid';

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

-- Keeps the ten newest and the ten most frequent origins of a key: a flood of origins replaces only the newest.
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

create function call_facet(outcome text, environment text) returns text
language sql immutable
return case environment when 'test' then 'test_' else '' end || case outcome when 'valid' then 'accepted' else 'refused' end;

-- The first day that is not folded into its month. Counters of earlier days are final: neither a fold nor the deletion or the
-- restore of a key changes them.
create function first_open_day() returns date
language sql stable as $$
  select date_trunc('month', (now() at time zone 'UTC')::date - 90)::date
$$;

-- Counts the calls of each day for the trends. Folding hours subtracts from a day exactly what it adds to it.
create function count_key_calls() returns trigger
language plpgsql as $$
declare
  steps jsonb;
begin
  case tg_op
  when 'INSERT' then
    select jsonb_agg(sums) into steps from (
      select call_facet(outcome, environment) as facet, (since at time zone 'UTC')::date as value, sum(count) as step
      from added group by 1, 2
    ) as sums where value >= first_open_day();
  when 'DELETE' then
    select jsonb_agg(sums) into steps from (
      select call_facet(outcome, environment) as facet, (since at time zone 'UTC')::date as value, -sum(count) as step
      from removed group by 1, 2
    ) as sums where value >= first_open_day();
  when 'UPDATE' then
    select jsonb_agg(sums) into steps from (
      select call_facet(outcome, environment) as facet, (since at time zone 'UTC')::date as value, sum(step) as step
      from (
        select outcome, environment, since, count as step from added
        union all select outcome, environment, since, -count from removed
      ) as changed
      group by 1, 2 having sum(step) <> 0
    ) as sums where value >= first_open_day();
  end case;
  if steps is not null then perform add_to_counters(tg_table_name, steps); end if;
  return null;
end $$;

create trigger api_key_calls_counted_on_insert after insert on api_key_calls
referencing new table as added for each statement execute function count_key_calls();
create trigger api_key_calls_counted_on_delete after delete on api_key_calls
referencing old table as removed for each statement execute function count_key_calls();
create trigger api_key_calls_counted_on_update after update on api_key_calls
referencing old table as removed new table as added for each statement execute function count_key_calls();
create trigger api_key_calls_counted_on_truncate after truncate on api_key_calls
for each statement execute function forget_counters();
