-- Counters: how many admins and tenants there are by role, by status and by day of creation, kept in the same
-- transaction as the change. How many admins each tenant has stands in tenants. `npm run db:recount` holds all of them
-- against the rows.

-- What was counted up to some moment …
create table counters (
  noun   text collate "C" not null check (noun in ('admins', 'tenants')),
  facet  text collate "C" not null check (facet in ('role', 'status', 'day')),
  value  text collate "C" not null,                 -- manager · inactive · 2026-11-20, the day of creation in UTC
  count  bigint not null,
  primary key (noun, facet, value)
) with (fillfactor = 50);                           -- written all the time: room for the next version on the same page

-- … and what has changed since. Rows are only added, so that no transaction ever waits for another one to count: a row
-- for each counter would put all who create admins in line, and block two who lock other things in between.
create table counter_changes (
  id      bigint generated always as identity primary key,
  noun    text collate "C" not null,
  role    text collate "C",                         -- counts in each of these three that it names
  status  text collate "C",
  day     date,
  step    bigint not null                           -- how many more, or fewer
);

-- A counter is both together. Inlined, so that what is asked of it reaches the tables.
create function counts_of(counted text) returns table (facet text, value text, count bigint)
language sql stable
begin atomic
  select facet, value, sum(count)::bigint
  from (
    select facet, value, count from counters where noun = counted
    union all
    select facets.facet, facets.value, step
    from counter_changes
    cross join lateral (values ('role', role), ('status', status), ('day', day::text)) as facets (facet, value)
    where noun = counted and facets.value is not null
  ) as parts
  group by facet, value;
end;

-- Moves the changes into the counters. One transaction at a time does, and whoever finds another at it leaves it to
-- that one: nobody waits here either. In a transaction that sees an older state, two could move the same rows.
create function fold_counter_changes() returns void
language plpgsql as $$
begin
  if current_setting('transaction_isolation') <> 'read committed'
    or not pg_try_advisory_xact_lock(hashtextextended('counters', 0)) then
    return;
  end if;
  with folded as (delete from counter_changes returning noun, role, status, day, step)
  insert into counters as kept (noun, facet, value, count)
  select noun, facets.facet, facets.value, sum(step) from folded
  cross join lateral (values ('role', role), ('status', status), ('day', day::text)) as facets (facet, value)
  where facets.value is not null
  group by noun, facets.facet, facets.value having sum(step) <> 0
  on conflict (noun, facet, value) do update set count = kept.count + excluded.count;
end $$;

-- Often enough that reading stays quick, and seldom enough that it costs next to nothing.
create function fold_counter_changes_at_times() returns trigger
language plpgsql as $$
begin
  if exists (select from added where id % 100 = 0) then perform fold_counter_changes(); end if;
  return null;
end $$;

create trigger counter_changes_folded after insert on counter_changes
referencing new table as added for each statement execute function fold_counter_changes_at_times();

-- Who can look after a tenant: kept, as admin_count is, by the triggers on admins.
alter table tenants add column active_admin_count integer not null default 0;

-- Both counts and the counters, when admins come or go. Tenants are locked in one order, so that two statements with
-- admins of the same tenants wait for each other instead of blocking each other.
create function count_admins() returns trigger
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
  insert into counter_changes (noun, role, status, day, step)
  select
    'admins', role, case when is_active then 'active' else 'inactive' end, (created_at at time zone 'UTC')::date,
    way * count(*)
  from moved group by 2, 3, 4;
  return null;
end $$;

-- The same when they change: what was, taken off, and what is, added. A change that does not count touches no tenant.
create function count_changed_admins() returns trigger
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
  insert into counter_changes (noun, role, status, day, step)
  select
    'admins', role, case when is_active then 'active' else 'inactive' end, (created_at at time zone 'UTC')::date,
    sum(step)
  from (
    select role, is_active, created_at, 1 as step from changed
    union all select role, is_active, created_at, -1 from former
  ) as moved
  group by 2, 3, 4 having sum(step) <> 0;
  return null;
end $$;

drop trigger admins_counted_on_insert on admins;
drop trigger admins_counted_on_delete on admins;
drop trigger admins_counted_on_update on admins;
drop function count_admins_of_tenants;

-- What is there already, before the triggers below would count it again.
update tenants set active_admin_count = active
from (select tenant_id, count(*) as active from admins where is_active group by tenant_id) as counted
where id = tenant_id;
insert into counters (noun, facet, value, count)
select 'admins', 'role', role, count(*) from admins group by role
union all
select 'admins', 'status', case when is_active then 'active' else 'inactive' end, count(*) from admins group by is_active
union all
select 'admins', 'day', (created_at at time zone 'UTC')::date::text, count(*) from admins group by 3
union all
select 'tenants', 'status', status, count(*) from tenants group by status
union all
select 'tenants', 'day', (created_at at time zone 'UTC')::date::text, count(*) from tenants group by 3;

create trigger admins_counted_on_insert after insert on admins
referencing new table as moved for each statement execute function count_admins();
create trigger admins_counted_on_delete after delete on admins
referencing old table as moved for each statement execute function count_admins();
create trigger admins_counted_on_update after update on admins
referencing old table as former new table as changed for each statement execute function count_changed_admins();

create function count_tenants() returns trigger
language plpgsql as $$
begin
  insert into counter_changes (noun, status, day, step)
  select 'tenants', status, (created_at at time zone 'UTC')::date, case tg_op when 'INSERT' then 1 else -1 end * count(*)
  from moved group by 2, 3;
  return null;
end $$;

create function count_changed_tenants() returns trigger
language plpgsql as $$
begin
  insert into counter_changes (noun, status, day, step)
  select 'tenants', status, (created_at at time zone 'UTC')::date, sum(step)
  from (
    select status, created_at, 1 as step from changed union all select status, created_at, -1 from former
  ) as moved
  group by 2, 3 having sum(step) <> 0;
  return null;
end $$;

create trigger tenants_counted_on_insert after insert on tenants
referencing new table as moved for each statement execute function count_tenants();
create trigger tenants_counted_on_delete after delete on tenants
referencing old table as moved for each statement execute function count_tenants();
create trigger tenants_counted_on_update after update on tenants
referencing old table as former new table as changed for each statement execute function count_changed_tenants();

-- A table that is emptied has nothing to count.
create function forget_counters() returns trigger
language plpgsql as $$
begin
  delete from counters where noun = tg_table_name;
  delete from counter_changes where noun = tg_table_name;
  return null;
end $$;

create trigger admins_counted_on_truncate after truncate on admins for each statement execute function forget_counters();
create trigger tenants_counted_on_truncate after truncate on tenants for each statement execute function forget_counters();

-- What needs attention, found without reading the rest. Deleted keys are revoked, and revoked ones are inactive.
create index tenants_without_active_admin on tenants (created_at, id) where active_admin_count = 0 and status = 'active';
create index api_keys_expiring on api_keys (expires_at, id)
where is_active and grace_ends_at is null and expires_at is not null;
create index api_key_outcomes_refused on api_key_outcomes (day, api_key_id) where outcome <> 'valid';
create index task_runs_queued on task_runs (created_at) where outcome = 'queued';
