-- tenants.active_admin_count counts the active users with the role admin. Before, it counted the active users of every
-- role, so that a tenant with a `user` alone was not reported as a tenant without an active admin.

-- Until the end of the transaction, so that no change is counted twice or missed.
lock table tenants, admins in share row exclusive mode;

create or replace function count_admins() returns trigger
language plpgsql as $$
declare
  way constant integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform from tenants where id in (select tenant_id from moved) order by id for no key update;
  update tenants set admin_count = admin_count + way * n, active_admin_count = active_admin_count + way * active
  from (
    select tenant_id, count(*) as n, count(*) filter (where is_active and role = 'admin') as active
    from moved group by tenant_id
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
    select tenant_id, sum(step) as n, coalesce(sum(step) filter (where is_admin), 0) as active
    from (
      select tenant_id, is_active and role = 'admin' as is_admin, 1 as step from changed
      union all select tenant_id, is_active and role = 'admin', -1 from former
    ) as moved
    group by tenant_id having sum(step) <> 0 or coalesce(sum(step) filter (where is_admin), 0) <> 0
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

-- The trigger on tenants carries the change into the counter of tenants without an active admin.
update tenants set active_admin_count = coalesce(active, 0)
from tenants as same
left join (
  select tenant_id, count(*) as active from admins where is_active and role = 'admin' group by tenant_id
) as counted on counted.tenant_id = same.id
where tenants.id = same.id and tenants.active_admin_count <> coalesce(active, 0);

-- The dashboard names the tenants with the most users first.
create index tenants_without_active_admin_by_users on tenants (admin_count desc, created_at desc, id desc)
where active_admin_count = 0 and status = 'active';
