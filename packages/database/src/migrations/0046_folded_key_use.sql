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

create or replace function count_key_checks() returns trigger
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
