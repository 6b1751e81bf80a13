-- Counters for the dashboard and for the totals of lists, kept in the transaction of the change by statement triggers.
-- `npm run db:recount` compares all counters with the rows.

-- A counter is the sum of its rows. Transactions only insert rows and never wait for each other's counters; updating one
-- row per counter would serialize all writers and cause deadlocks.
create table counters (
  id     bigint generated always as identity primary key,
  noun   text collate "C" not null,                 -- the counted table
  facet  text collate "C" not null,                 -- role, status, day …
  value  text collate "C" not null,                 -- manager, inactive, 2026-11-20 …
  count  bigint not null
);

create index counters_by_value on counters (noun, facet, value) include (count);

-- The facets of a row; a null value is not counted. A facet that ends in _count is a column of the tenant with this id.
-- To add a facet, add a line. A migration of a later release replaces the function and counts the rows of the new
-- facet: insert into counters (noun, facet, value, count) select 'users', facet, value, count(*)
--   from users cross join lateral facets_of('users', to_jsonb(users)) where facet = 'new' group by facet, value.
create function facets_of(noun text, record jsonb) returns table (facet text, value text)
language sql stable
begin atomic
  with of_row as not materialized (
    select
      record ->> 'tenant_id' as tenant_id,
      case when record @> '{"is_active": true}' then 'active' else 'inactive' end as status,
      to_char((record ->> 'created_at')::timestamptz at time zone 'UTC', 'YYYY-MM-DD') as day
  )
  select facet, value
  from (
    select facets.* from of_row cross join lateral (values
      ('status', record ->> 'status'),
      ('tenant_type', record ->> 'tenant_type'),
      ('type_and_status', (record ->> 'tenant_type') || ' ' || (record ->> 'status')),
      ('attention', case when record @> '{"status": "active", "active_admin_count": 0}' then 'no_active_admin' end),
      ('day', day)
    ) as facets (facet, value) where noun = 'tenants'
    union all
    select facets.* from of_row cross join lateral (values
      ('role', record ->> 'role'),
      ('status', status),
      ('role_and_status', (record ->> 'role') || ' ' || status),
      ('day', day),
      ('admin_count', tenant_id),
      ('active_admin_count', case when record @> '{"role": "admin", "is_active": true}' then tenant_id end)
    ) as facets (facet, value) where noun = 'users'
    union all
    select facets.* from of_row cross join lateral (values
      ('api_key_count', tenant_id)
    ) as facets (facet, value) where noun = 'api_keys'
    union all
    select facets.* from of_row cross join lateral (values
      ('status', case when record @> '{"is_paused": true}' then 'paused' else 'active' end),
      ('attention', case when record @> '{"last_outcome": "failed"}' then 'failing' end),
      ('frequency', record ->> 'frequency'),
      ('task_count', tenant_id)
    ) as facets (facet, value) where noun = 'tasks'
  ) as facets
  where value is not null;
end;

-- The trigger of all counted tables: sums the facets of the statement's rows, so that unchanged facets cancel out.
create function count_rows() returns trigger
language plpgsql as $$
declare
  steps jsonb;
begin
  case tg_op
  when 'INSERT' then
    select jsonb_agg(sums) into steps from (
      select facet, value, count(*) as step
      from (select to_jsonb(added) as record from added offset 0) as records
      cross join lateral facets_of(tg_table_name, record) group by facet, value
    ) as sums;
  when 'DELETE' then
    select jsonb_agg(sums) into steps from (
      select facet, value, -count(*) as step
      from (select to_jsonb(removed) as record from removed offset 0) as records
      cross join lateral facets_of(tg_table_name, record) group by facet, value
    ) as sums;
  when 'UPDATE' then
    select jsonb_agg(sums) into steps from (
      select facet, value, sum(step) as step
      from (
        select to_jsonb(added) as record, 1 as step from added union all select to_jsonb(removed), -1 from removed
      ) as records
      cross join lateral facets_of(tg_table_name, record) group by facet, value having sum(step) <> 0
    ) as sums;
  end case;
  if steps is not null then perform add_to_counters(tg_table_name, steps); end if;
  return null;
end $$;

create function add_to_counters(noun text, steps jsonb) returns void
language plpgsql as $$
begin
  -- All statements lock tenants in the same order, which prevents deadlocks.
  perform from tenants
  where id in (select value::uuid from jsonb_to_recordset(steps) as step (facet text, value text) where facet like '%\_count')
  order by id for no key update;
  update tenants set
    admin_count = tenants.admin_count + coalesce(of_tenant.admin_count, 0),
    active_admin_count = tenants.active_admin_count + coalesce(of_tenant.active_admin_count, 0),
    api_key_count = tenants.api_key_count + coalesce(of_tenant.api_key_count, 0),
    task_count = tenants.task_count + coalesce(of_tenant.task_count, 0)
  from (
    select
      value::uuid as id,
      sum(step) filter (where facet = 'admin_count') as admin_count,
      sum(step) filter (where facet = 'active_admin_count') as active_admin_count,
      sum(step) filter (where facet = 'api_key_count') as api_key_count,
      sum(step) filter (where facet = 'task_count') as task_count
    from jsonb_to_recordset(steps) as step (facet text, value text, step integer)
    where facet like '%\_count' group by value
  ) as of_tenant
  where tenants.id = of_tenant.id;
  insert into counters (noun, facet, value, count)
  select add_to_counters.noun, facet, value, step
  from jsonb_to_recordset(steps) as step (facet text, value text, step bigint) where facet not like '%\_count';
  -- Rarely, because a fold costs more than a write; often enough that reads sum few rows.
  if random() < 0.01 then perform fold_counters(); end if;
end $$;

-- Replaces the rows of each counter with their sum. One transaction folds at a time; the others skip the fold. At a higher
-- isolation level two transactions could fold the same rows.
create function fold_counters() returns void
language plpgsql as $$
begin
  if current_setting('transaction_isolation') <> 'read committed'
    or not pg_try_advisory_xact_lock(hashtextextended('counters', 0)) then
    return;
  end if;
  with split as (
    select noun, facet, value from counters group by noun, facet, value having count(*) > 1
  ), folded as (
    delete from counters using split
    where (counters.noun, counters.facet, counters.value) = (split.noun, split.facet, split.value)
    returning counters.noun, counters.facet, counters.value, counters.count
  )
  insert into counters (noun, facet, value, count)
  select noun, facet, value, sum(count) from folded group by noun, facet, value having sum(count) <> 0;
end $$;

create function forget_counters() returns trigger
language plpgsql as $$
begin
  delete from counters where noun = tg_table_name;
  return null;
end $$;

do $$
declare
  counted text;
begin
  foreach counted in array array['tenants', 'users', 'api_keys', 'tasks'] loop
    execute format('create trigger %1$s_counted_on_insert after insert on %1$s
      referencing new table as added for each statement execute function count_rows()', counted);
    execute format('create trigger %1$s_counted_on_delete after delete on %1$s
      referencing old table as removed for each statement execute function count_rows()', counted);
    execute format('create trigger %1$s_counted_on_update after update on %1$s
      referencing old table as removed new table as added for each statement execute function count_rows()', counted);
    execute format('create trigger %1$s_counted_on_truncate after truncate on %1$s
      for each statement execute function forget_counters()', counted);
  end loop;
end $$;

-- A tenant's new name or a key's last use changes no counter, and counting 10,000 keys twice would take seconds.
drop trigger api_keys_counted_on_update on api_keys;
create trigger api_keys_counted_on_update after update on api_keys
referencing old table as removed new table as added for each statement
when (current_setting('switchboard.is_uncounted', true) is distinct from 'on')
execute function count_rows();
