-- Deleted tenants. For 30 days the rows of a tenant and of all its records are kept here as JSON, outside of the tables of the
-- product: no query shows them, no verifier accepts them, no counter counts them. A restore inserts the same rows again.

create table deleted_tenants (
  id          uuid primary key,
  name        text not null,
  subdomain   text not null,                            -- stays taken until the tenant is deleted for ever
  record      jsonb not null,                           -- the row of `tenants`
  deleted_at  timestamptz(3) not null default now(),
  purged_at   timestamptz(3)                            -- deleted for ever: a worker deletes the records, then this row
);

create unique index deleted_tenants_subdomain_unique on deleted_tenants (subdomain) where purged_at is null;

-- The records of deleted tenants. No foreign key: 100,000 users would be checked one by one.
create table deleted_records (
  tenant_id   uuid not null,
  table_name  text not null,
  record      jsonb not null
);

create index deleted_records_by_tenant on deleted_records (tenant_id, table_name);
create index deleted_records_by_email on deleted_records ((record ->> 'folded_email')) where table_name = 'users';

-- Deletions of users, API keys and tasks, for Undo. A restore inserts the same rows again. A worker deletes the rows of this
-- table after ten minutes.

create table deletions (
  id          uuid primary key,                         -- of the deleted record
  table_name  text not null check (table_name in ('users', 'api_keys', 'tasks')),
  tenant_id   uuid,                                     -- null: a person who runs the console. No foreign key: the tenant may be deleted
  -- The deleted rows by table, parents first, then the references that the deletion set to null:
  -- [{"table": "tasks", "rows": [{…}]}, {"table": "machine_tokens", "column": "created_by_id", "ids": […]}]
  records     jsonb not null,
  deleted_at  timestamptz(3) not null default now()
);

create index deletions_by_time on deletions (deleted_at);
create index deletions_of_people on deletions ((records #>> '{0,rows,0,folded_email}'))
where table_name = 'users' and tenant_id is null;

-- The tables whose rows are deleted with a row of `root`, by their foreign keys, as `tables_of_tenants`.
create function tables_below(root regclass) returns table (name text, place bigint, is_parent boolean, owned text)
language sql stable as $$
  with recursive keys as (
    select conrelid as child, confrelid as parent, of_child.attname as column_name, of_parent.attname as parent_column
    from pg_constraint
    join pg_attribute as of_child on of_child.attrelid = conrelid and of_child.attnum = conkey[1]
    join pg_attribute as of_parent on of_parent.attrelid = confrelid and of_parent.attnum = confkey[1]
    where contype = 'f' and confdeltype = 'c' and conrelid <> confrelid
  ), reached as (
    select child, 1 as depth, format('%I = $1', column_name) as owned from keys where parent = root
    union all
    select keys.child, depth + 1, format('%I in (select %I from %s where %s)', column_name, parent_column, keys.parent::regclass, owned)
    from reached join keys on keys.parent = reached.child
  )
  select relname::text, row_number() over (order by max(depth) desc, relname),
    exists (select from keys where parent = reached.child), string_agg(owned, ' or ')
  from reached join pg_class on pg_class.oid = reached.child group by reached.child, relname
$$;

create function tables_of_tenants() returns table (name text, place bigint, is_parent boolean, owned text)
language sql stable as $$ select * from tables_below('tenants') $$;

-- Refuses new records of the users of a tenant until the end of the transaction. The caller has locked the tenant.
create function lock_records_of_tenant(tenant uuid) returns void
language plpgsql as $$
begin
  perform from users where tenant_id = tenant for update;
end $$;

-- As before, but for the order of the tables and the locks.
create function hide_records_of_tenant(tenant uuid, most integer) returns integer
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

-- Inserts stored rows of a table again. The database writes generated columns, and the triggers of the counters write the
-- counts of tenants; a column of a later migration has its default.
create function restore_rows(table_name text, records jsonb[]) returns void
language plpgsql as $$
declare
  columns text[];
begin
  columns := array(
    select attname from pg_attribute
    where attrelid = table_name::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      and records[1] ? attname and not (table_name = 'tenants' and attname like '%\_count')
    order by attnum
  );
  perform set_config('switchboard.is_restoring', 'on', true);
  execute format('
    insert into %1$I (%2$s) overriding system value
    select %3$s from unnest($1) as stored (record) cross join lateral jsonb_populate_record(null::%1$I, record) as restored',
    table_name,
    (select string_agg(format('%I', name), ', ') from unnest(columns) as name),
    (select string_agg(format('restored.%I', name), ', ') from unnest(columns) as name)) using records;
  perform set_config('switchboard.is_restoring', 'off', true);
end $$;

-- Moves at most `most` records of a deleted tenant back, after the tenant itself. Returns their number.
create function restore_records_of_tenant(tenant uuid, most integer) returns integer
language plpgsql as $$
declare
  part record;
  records jsonb[];
  total integer := 0;
begin
  for part in select * from tables_of_tenants() order by place desc loop
    with removed as (
      delete from deleted_records where ctid = any(array(
        select ctid from deleted_records where tenant_id = tenant and table_name = part.name limit most - total
      ))
      returning record
    )
    select array_agg(record) into records from removed;
    if records is null then continue; end if;
    perform restore_rows(part.name, records);
    total := total + cardinality(records);
    exit when total >= most;
  end loop;
  return total;
end $$;

-- Moves a row, and all rows that are deleted with this row, into `deletions`. The caller has locked the row.
create function move_to_deletions(root regclass, record_id uuid, tenant uuid) returns void
language plpgsql as $$
declare
  part record;
  found jsonb;
  moved jsonb := '[]';
  unset jsonb := '[]';
begin
  for part in
    select conrelid::regclass as name, attname as column_name from pg_constraint
    join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and confdeltype = 'n' and confrelid = root
  loop
    execute format('select jsonb_agg(id) from %s where %I = $1', part.name, part.column_name) using record_id into found;
    continue when found is null;
    unset := unset || jsonb_build_object('table', part.name, 'column', part.column_name, 'ids', found);
  end loop;
  for part in
    select name, owned from tables_below(root) as below order by place
  loop
    execute format('
      with removed as (delete from %1$I where %2$s returning *)
      select jsonb_agg(to_jsonb(removed) - ''search_text'') from removed', part.name, part.owned) using record_id into found;
    continue when found is null;
    moved := jsonb_build_object('table', part.name, 'rows', found) || moved;
  end loop;
  execute format('
    with removed as (delete from %1$s where id = $1 returning *)
    select jsonb_agg(to_jsonb(removed) - ''search_text'') from removed', root) using record_id into found;
  insert into deletions (id, table_name, tenant_id, records)
  values (record_id, root::text, tenant, jsonb_build_object('table', root, 'rows', found) || moved || unset);
end $$;

-- Moves the rows of a deletion back, and sets the references again.
create function restore_deletion(deletion uuid) returns void
language plpgsql as $$
declare
  part jsonb;
begin
  for part in select jsonb_array_elements(records) from deletions where id = deletion loop
    if part ? 'column' then
      execute format('update %I set %I = $1 where id = any($2)', part ->> 'table', part ->> 'column')
      using deletion, array(select jsonb_array_elements_text(part -> 'ids'))::uuid[];
    else
      perform restore_rows(part ->> 'table', array(select jsonb_array_elements(part -> 'rows')));
    end if;
  end loop;
  delete from deletions where id = deletion;
end $$;

-- Subdomains and email addresses of deleted tenants stay taken, so that each deleted tenant can be restored. The triggers run
-- after the unique indexes, which wait for a deletion that is not committed yet.
create function refuse_subdomain_of_deleted() returns trigger
language plpgsql as $$
begin
  if exists (select from added join deleted_tenants using (subdomain) where purged_at is null) then
    raise unique_violation using constraint = 'deleted_tenants_subdomain_unique';
  end if;
  return null;
end $$;

create trigger tenants_subdomain_free after insert on tenants
referencing new table as added for each statement
when (current_setting('switchboard.is_restoring', true) is distinct from 'on')
execute function refuse_subdomain_of_deleted();

create function refuse_email_of_deleted() returns trigger
language plpgsql as $$
begin
  if exists (
    select from added
    cross join lateral (
      -- For each user by the index: a join would read all records.
      select tenant_id from deleted_records
      where table_name = 'users' and record ->> 'folded_email' = added.folded_email offset 0
    ) as taken
    join deleted_tenants on deleted_tenants.id = taken.tenant_id and purged_at is null
  ) then
    raise unique_violation using constraint = 'users_email_unique_with_deleted';
  end if;
  return null;
end $$;

create trigger users_email_free_on_insert after insert on users
referencing new table as added for each statement
when (current_setting('switchboard.is_restoring', true) is distinct from 'on')
execute function refuse_email_of_deleted();
create trigger users_email_free_on_update after update on users
referencing new table as added for each statement execute function refuse_email_of_deleted();

create function refuse_email_of_removed() returns trigger
language plpgsql as $$
begin
  if exists (
    select from added
    join deletions on table_name = 'users' and deletions.tenant_id is null
      and records #>> '{0,rows,0,folded_email}' = added.folded_email
    where added.tenant_id is not null and deleted_at > now() - interval '10 minutes'
  ) then
    raise unique_violation using constraint = 'users_email_unique_with_removed';
  end if;
  return null;
end $$;

create trigger users_email_not_of_removed_on_insert after insert on users
referencing new table as added for each statement
when (current_setting('switchboard.is_restoring', true) is distinct from 'on')
execute function refuse_email_of_removed();
create trigger users_email_not_of_removed_on_update after update on users
referencing new table as added for each statement execute function refuse_email_of_removed();
