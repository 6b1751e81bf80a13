-- What filtered lists take their totals from, as whole lists do: tenants by type, by type and status, and those without
-- an active admin; admins by role and status; tasks by status, and those that fail. To count them to 10,000 took three times as long as the
-- page that is shown.

-- Until the end of the transaction, so that nothing is counted twice or missed.
lock table tenants, admins, tasks in share row exclusive mode;

alter table counters
  drop constraint counters_noun_check,
  drop constraint counters_facet_check,
  add constraint counters_noun_check check (noun in ('admins', 'tenants', 'tasks')),
  add constraint counters_facet_check
    check (facet in ('role', 'status', 'day', 'tenant_type', 'attention', 'role_and_status', 'type_and_status'));

alter table counter_changes
  add column tenant_type     text collate "C",
  add column attention       text collate "C",      -- no_active_admin, of active tenants alone · failing, of tasks
  add column role_and_status text collate "C",      -- manager inactive
  add column type_and_status text collate "C";      -- service inactive

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
      ('role_and_status', role_and_status), ('type_and_status', type_and_status)
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
    ('role_and_status', role_and_status), ('type_and_status', type_and_status)
  ) as facets (facet, value)
  where facets.value is not null
  group by noun, facets.facet, facets.value having sum(step) <> 0
  on conflict (noun, facet, value) do update set count = kept.count + excluded.count;
end $$;

-- As in 0013, but for what is counted at the end.
create or replace function count_admins() returns trigger
language plpgsql as $$
declare
  way constant integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform from tenants where id in (select tenant_id from moved) order by id for no key update;
  update tenants set admin_count = admin_count + way * n, active_admin_count = active_admin_count + way * active
  from (
    select tenant_id, count(*) as n, count(*) filter (where is_active) as active from moved group by tenant_id
  ) as counted
  where id = tenant_id;
  insert into counter_changes (noun, role, status, day, role_and_status, step)
  select 'admins', role, status, day, role || ' ' || status, way * count(*)
  from (
    select
      role, case when is_active then 'active' else 'inactive' end as status,
      (created_at at time zone 'UTC')::date as day
    from moved
  ) as counted
  group by role, status, day;
  return null;
end $$;

create or replace function count_changed_admins() returns trigger
language plpgsql as $$
declare
  ids uuid[];
  moves integer[];
  active_moves integer[];
begin
  select array_agg(tenant_id), array_agg(n), array_agg(active) into ids, moves, active_moves
  from (
    select tenant_id, sum(step) as n, coalesce(sum(step) filter (where is_active), 0) as active
    from (
      select tenant_id, is_active, 1 as step from changed union all select tenant_id, is_active, -1 from former
    ) as moved
    group by tenant_id having sum(step) <> 0 or coalesce(sum(step) filter (where is_active), 0) <> 0
  ) as counted;
  perform from tenants where id = any(ids) order by id for no key update;
  update tenants set admin_count = admin_count + n, active_admin_count = active_admin_count + active
  from unnest(ids, moves, active_moves) as counted (tenant_id, n, active)
  where id = tenant_id;
  insert into counter_changes (noun, role, status, day, role_and_status, step)
  select 'admins', role, status, day, role || ' ' || status, sum(step)
  from (
    select
      role, case when is_active then 'active' else 'inactive' end as status,
      (created_at at time zone 'UTC')::date as day, step
    from (
      select role, is_active, created_at, 1 as step from changed
      union all select role, is_active, created_at, -1 from former
    ) as both_ways
  ) as moved
  group by role, status, day having sum(step) <> 0;
  return null;
end $$;

create or replace function count_tenants() returns trigger
language plpgsql as $$
begin
  insert into counter_changes (noun, status, day, tenant_type, attention, type_and_status, step)
  select
    'tenants', status, day, tenant_type, attention, tenant_type || ' ' || status,
    case tg_op when 'INSERT' then 1 else -1 end * count(*)
  from (
    select
      status, (created_at at time zone 'UTC')::date as day, tenant_type,
      case when status = 'active' and active_admin_count = 0 then 'no_active_admin' end as attention
    from moved
  ) as counted
  group by status, day, tenant_type, attention;
  return null;
end $$;

create or replace function count_changed_tenants() returns trigger
language plpgsql as $$
begin
  insert into counter_changes (noun, status, day, tenant_type, attention, type_and_status, step)
  select 'tenants', status, day, tenant_type, attention, tenant_type || ' ' || status, sum(step)
  from (
    select
      status, (created_at at time zone 'UTC')::date as day, tenant_type,
      case when status = 'active' and active_admin_count = 0 then 'no_active_admin' end as attention, step
    from (
      select status, created_at, tenant_type, active_admin_count, 1 as step from changed
      union all select status, created_at, tenant_type, active_admin_count, -1 from former
    ) as both_ways
  ) as moved
  group by status, day, tenant_type, attention having sum(step) <> 0;
  return null;
end $$;

-- By row where a task changes: what every run writes then costs nothing, unless it begins or ends to fail.
create function count_tasks() returns trigger
language plpgsql as $$
begin
  insert into counter_changes (noun, status, attention, step)
  select 'tasks', status, attention, case tg_op when 'INSERT' then 1 else -1 end * count(*)
  from (
    select
      case when is_paused then 'paused' else 'active' end as status,
      case when last_outcome = 'failed' then 'failing' end as attention
    from moved
  ) as counted
  group by status, attention;
  return null;
end $$;

create function count_changed_task() returns trigger
language plpgsql as $$
begin
  insert into counter_changes (noun, status, attention, step)
  select
    'tasks', case when is_paused then 'paused' else 'active' end, case when last_outcome = 'failed' then 'failing' end, step
  from (values (old.is_paused, old.last_outcome, -1), (new.is_paused, new.last_outcome, 1))
    as states (is_paused, last_outcome, step);
  return null;
end $$;

create trigger tasks_counted_by_status_on_insert after insert on tasks
referencing new table as moved for each statement execute function count_tasks();
create trigger tasks_counted_by_status_on_delete after delete on tasks
referencing old table as moved for each statement execute function count_tasks();
create trigger tasks_counted_by_status_on_update after update on tasks
for each row when (
  old.is_paused <> new.is_paused
  or (old.last_outcome is not distinct from 'failed') <> (new.last_outcome is not distinct from 'failed')
) execute function count_changed_task();
create trigger tasks_counted_on_truncate after truncate on tasks for each statement execute function forget_counters();

-- What is there already.
insert into counters (noun, facet, value, count)
select 'tenants', 'tenant_type', tenant_type, count(*) from tenants group by tenant_type
union all
select 'tenants', 'type_and_status', tenant_type || ' ' || status, count(*) from tenants group by tenant_type, status
union all
select 'tenants', 'attention', 'no_active_admin', count(*) from tenants
where status = 'active' and active_admin_count = 0 having count(*) > 0
union all
select 'admins', 'role_and_status', role || ' ' || case when is_active then 'active' else 'inactive' end, count(*)
from admins group by role, is_active
union all
select 'tasks', 'status', case when is_paused then 'paused' else 'active' end, count(*) from tasks group by is_paused
union all
select 'tasks', 'attention', 'failing', count(*) from tasks where last_outcome = 'failed' having count(*) > 0;
