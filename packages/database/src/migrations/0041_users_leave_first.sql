-- The deletion of a tenant moves its users first, who may be 100,000, and locks its keys and tasks after that: ai-api counts the
-- calls of many tenants in one statement, which waits for each locked key.

-- Refuses new records of the users of a tenant until the end of the transaction. The caller has locked the tenant.
create or replace function lock_records_of_tenant(tenant uuid) returns void
language plpgsql as $$
begin
  perform from users where tenant_id = tenant for update;
end $$;

-- As before, but for the order of the tables and the locks.
create or replace function hide_records_of_tenant(tenant uuid, most integer) returns integer
language plpgsql as $$
declare
  -- Tables whose rows are deleted with users.
  of_users text[] := array['users'] || array(select name from tables_below('users'));
  parts jsonb[];
  part jsonb;
  parent jsonb;
  moved integer;
  total integer := 0;
begin
  perform set_config('switchboard.is_hiding', 'on', true);
  -- Once, because the catalog is read slowly.
  parts := array(
    select to_jsonb(tables) from tables_of_tenants() as tables order by name = any(of_users) desc, place
  );
  foreach part in array parts loop
    execute format('
      with removed as (
        delete from %1$I where ctid = any(array(select ctid from %1$I where %2$s limit $2)) returning *
      )
      insert into deleted_records (tenant_id, table_name, record)
      select $1, %1$L, to_jsonb(removed) - ''search_text'' from removed',
      part ->> 'name', part ->> 'owned') using tenant, most - total;
    get diagnostics moved = row_count;
    total := total + moved;
    exit when total >= most;
    continue when part ->> 'name' <> 'users';
    foreach parent in array parts loop
      continue when not (parent -> 'is_parent')::boolean or parent ->> 'name' = any(of_users);
      execute format('select from %I where %s for update', parent ->> 'name', parent ->> 'owned') using tenant;
    end loop;
  end loop;
  perform set_config('switchboard.is_hiding', 'off', true);
  return total;
end $$;
