-- Tasks by frequency, counted as those by status are in 0018: of a hundred thousand, every list of one frequency counted
-- ten thousand for its total.

-- Until the end of the transaction, so that nothing is counted twice or missed.
lock table tasks in share row exclusive mode;

alter table counters
  drop constraint counters_facet_check,
  add constraint counters_facet_check check (
    facet in ('role', 'status', 'day', 'tenant_type', 'attention', 'role_and_status', 'type_and_status', 'frequency')
  );

alter table counter_changes add column frequency text collate "C";

create or replace function counts_of(counted text) returns table (facet text, value text, count bigint)
language sql stable
begin atomic
  select facet, value, sum(count)::bigint
  from (
    select facet, value, count from counters where noun = counted
    union all
    select facets.facet, facets.value, step
    from counter_changes
    cross join lateral (values
      ('role', role), ('status', status), ('day', day::text), ('tenant_type', tenant_type), ('attention', attention),
      ('role_and_status', role_and_status), ('type_and_status', type_and_status), ('frequency', frequency)
    ) as facets (facet, value)
    where noun = counted and facets.value is not null
  ) as parts
  group by facet, value;
end;

create or replace function fold_counter_changes() returns void
language plpgsql as $$
begin
  if current_setting('transaction_isolation') <> 'read committed'
    or not pg_try_advisory_xact_lock(hashtextextended('counters', 0)) then
    return;
  end if;
  with folded as (delete from counter_changes returning *)
  insert into counters as kept (noun, facet, value, count)
  select noun, facets.facet, facets.value, sum(step) from folded
  cross join lateral (values
    ('role', role), ('status', status), ('day', day::text), ('tenant_type', tenant_type), ('attention', attention),
    ('role_and_status', role_and_status), ('type_and_status', type_and_status), ('frequency', frequency)
  ) as facets (facet, value)
  where facets.value is not null
  group by noun, facets.facet, facets.value having sum(step) <> 0
  on conflict (noun, facet, value) do update set count = kept.count + excluded.count;
end $$;

create or replace function count_tasks() returns trigger
language plpgsql as $$
begin
  insert into counter_changes (noun, status, attention, frequency, step)
  select 'tasks', status, attention, frequency, case tg_op when 'INSERT' then 1 else -1 end * count(*)
  from (
    select
      case when is_paused then 'paused' else 'active' end as status,
      case when last_outcome = 'failed' then 'failing' end as attention, frequency
    from moved
  ) as counted
  group by status, attention, frequency;
  return null;
end $$;

create or replace function count_changed_task() returns trigger
language plpgsql as $$
begin
  insert into counter_changes (noun, status, attention, frequency, step)
  select
    'tasks', case when is_paused then 'paused' else 'active' end, case when last_outcome = 'failed' then 'failing' end,
    frequency, step
  from (values (old.is_paused, old.last_outcome, old.frequency, -1), (new.is_paused, new.last_outcome, new.frequency, 1))
    as states (is_paused, last_outcome, frequency, step);
  return null;
end $$;

drop trigger tasks_counted_by_status_on_update on tasks;
create trigger tasks_counted_by_status_on_update after update on tasks
for each row when (
  old.is_paused <> new.is_paused
  or (old.last_outcome is not distinct from 'failed') <> (new.last_outcome is not distinct from 'failed')
  or old.frequency <> new.frequency
) execute function count_changed_task();

-- What is there already.
insert into counters (noun, facet, value, count)
select 'tasks', 'frequency', frequency, count(*) from tasks group by frequency;
