-- Deletions. A deleted tenant, user, API key or task is moved here whole, with all rows that belong to it: no query of the product
-- shows it, no verifier accepts it, no counter counts it. A restore inserts the same rows again. After 30 days a worker deletes it
-- permanently.

create table deletions (
  root_id      uuid not null,                   -- of the deleted record
  root_table   text not null check (root_table in ('tenants', 'users', 'api_keys', 'tasks')),
  is_root      boolean not null,                -- the row of the deleted record itself
  table_name   text not null,
  record       jsonb not null,                  -- the row; its generated column `search_text` for the deleted record only
  -- Set for a column that referred to the record and became null, instead of a moved row: `record` has the ids of its rows.
  column_name  text,
  deleted_at   timestamptz(3) not null default now(),
  -- Only for the deleted record. Null: permanently deleted, and a worker deletes the rows in small batches.
  kept_until   timestamptz(3) check (kept_until is null or is_root)
);

create unique index deletions_by_root on deletions (root_id) where is_root;
create index deletions_of_root on deletions (root_id, table_name) where not is_root;
-- For the lists of deleted records, for those of a tenant, and for the end of the 30 days.
create index deletions_by_time on deletions (root_table, deleted_at, root_id) where kept_until is not null;
create index deletions_of_tenant on deletions ((record ->> 'tenant_id')) where kept_until is not null;
create index deletions_by_end on deletions (kept_until) where is_root;
-- Subdomains of deleted tenants, and email addresses of deleted users, stay taken (see below).
create unique index deletions_subdomain_unique on deletions ((record ->> 'subdomain'))
where table_name = 'tenants' and kept_until is not null;
create index deletions_by_email on deletions ((record ->> 'folded_email')) where table_name = 'users';

-- The tables whose rows are deleted with a row of `root`, found by their foreign keys, so that no new table is forgotten. Tables
-- are emptied in the order of `place`, and filled in reverse. `owned` is the condition for the rows of the record $1.
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

-- The columns that refer to a row of `root` and that its deletion sets to null.
create function references_to(root regclass) returns table (table_name text, column_name text)
language sql stable as $$
  select conrelid::regclass::text, attname::text from pg_constraint
  join pg_attribute on attrelid = conrelid and attnum = conkey[1]
  where contype = 'f' and confdeltype = 'n' and confrelid = root
$$;

-- Moves at most `most` rows of a record into `deletions`, the row itself last. Returns how many it moved: fewer than `most` when
-- none are left. The caller locks the record and repeats the call in one transaction until then, so that each statement stays
-- below the statement timeout.
--
-- The users of a tenant go first, because there may be 100,000, and its keys and tasks are locked only after that: ai-api counts
-- the calls of many keys in one statement, which waits for every locked key.
create function move_away(root regclass, record_id uuid, days integer, most integer) returns integer
language plpgsql as $$
declare
  parts jsonb[] := array(
    select to_jsonb(below) from tables_below(root) as below
    order by name = 'users' or name in (select name from tables_below('users')) desc, place
  );
  part jsonb;
  parent jsonb;
  reference record;
  referring jsonb;
  moved integer;
  total integer := 0;
begin
  perform set_config('switchboard.is_moving', 'on', true);
  execute format('
    insert into deletions (root_id, root_table, is_root, table_name, record, kept_until)
    select $1, $2, true, $2, to_jsonb(root), now() + make_interval(days => $3) from %s as root where id = $1
    on conflict (root_id) where is_root do nothing', root) using record_id, root::text, days;
  get diagnostics moved = row_count;
  if moved = 1 then
    for reference in select * from references_to(root) loop
      execute format('select jsonb_agg(id) from %s where %I = $1', reference.table_name, reference.column_name)
      using record_id into referring;
      continue when referring is null;
      insert into deletions (root_id, root_table, is_root, table_name, record, column_name)
      values (record_id, root::text, false, reference.table_name, referring, reference.column_name);
    end loop;
    -- Users get no new records until the end of the transaction.
    if root = 'tenants'::regclass then
      perform from users where tenant_id = record_id for update;
    end if;
  end if;
  foreach part in array parts loop
    execute format('
      with removed as (
        delete from %1$I where ctid = any(array(select ctid from %1$I where %2$s limit $2)) returning *
      )
      insert into deletions (root_id, root_table, is_root, table_name, record)
      select $1, $3, false, %1$L, to_jsonb(removed) - ''search_text'' from removed', part ->> 'name', part ->> 'owned')
    using record_id, most - total, root::text;
    get diagnostics moved = row_count;
    total := total + moved;
    exit when total >= most;
    continue when part ->> 'name' <> 'users';
    foreach parent in array parts loop
      continue when not (parent -> 'is_parent')::boolean or parent ->> 'name' = 'users';
      execute format('select from %I where %s for update', parent ->> 'name', parent ->> 'owned') using record_id;
    end loop;
  end loop;
  if total < most then execute format('delete from %s where id = $1', root) using record_id; end if;
  perform set_config('switchboard.is_moving', 'off', true);
  return total;
end $$;

-- Moves at most `most` rows of a deletion back, the deleted record first. Returns how many, like `move_away`. Refuses rows of
-- another record, which only a forged backup can contain.
create function move_back(root regclass, record_id uuid, most integer) returns integer
language plpgsql as $$
declare
  part record;
  records jsonb[];
  total integer := 0;
begin
  for part in
    select root::text as name, 'id = $1' as owned, null as column_name, null::bigint as place
    union all select name, owned, null, place from tables_below(root)
    union all select table_name, null, column_name, 0 from references_to(root)
    order by place desc nulls first
  loop
    with removed as (
      delete from deletions where ctid = any(array(
        select ctid from deletions
        where root_id = record_id and table_name = part.name and column_name is not distinct from part.column_name
        limit most - total
      ))
      returning record
    )
    select array_agg(record) into records from removed;
    continue when records is null;
    if part.column_name is null then
      perform insert_rows(record_id, part.name, part.owned, records);
    else
      execute format('update %I set %I = $1 where id = any($2)', part.name, part.column_name)
      using record_id, array(select jsonb_array_elements_text(records[1]))::uuid[];
    end if;
    total := total + cardinality(records);
    exit when total >= most;
  end loop;
  return total;
end $$;

-- Inserts stored rows of a table. The database writes generated columns, and the triggers of the counters write the counts of
-- tenants; a column that is newer than the deletion gets its default. A restore is an update.
create function insert_rows(root_id uuid, table_name text, owned text, records jsonb[]) returns void
language plpgsql as $$
declare
  columns text[];
  foreign_count bigint;
begin
  columns := array(
    select attname from pg_attribute
    where attrelid = table_name::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      and records[1] ? attname and not (table_name = 'tenants' and attname like '%\_count')
    order by attnum
  );
  perform set_config('switchboard.is_restoring', 'on', true);
  execute format('
    with restored as (
      insert into %1$I (%2$s) overriding system value
      select %3$s from unnest($2) as stored (record) cross join lateral
        jsonb_populate_record(null::%1$I, record || jsonb_build_object(''updated_at'', now())) as restored
      returning *
    )
    select count(*) from restored where (%4$s) is not true',
    table_name,
    (select string_agg(format('%I', name), ', ') from unnest(columns) as name),
    (select string_agg(format('restored.%I', name), ', ') from unnest(columns) as name),
    owned) using root_id, records into foreign_count;
  perform set_config('switchboard.is_restoring', 'off', true);
  if foreign_count > 0 then raise exception 'A deletion has rows of another record in %.', table_name; end if;
end $$;

-- Subdomains of deleted tenants stay taken, and so do the email addresses of their users, so that each deleted tenant can be
-- restored. A tenant's user cannot take the address of a person who was removed from the team. The triggers run after the
-- unique indexes, which wait for a deletion that is not committed yet.
create function refuse_subdomain_of_deleted() returns trigger
language plpgsql as $$
begin
  if exists (
    select from added join deletions on table_name = 'tenants' and record ->> 'subdomain' = added.subdomain and kept_until is not null
  ) then
    raise unique_violation using constraint = 'deletions_subdomain_unique';
  end if;
  return null;
end $$;

create trigger tenants_subdomain_free after insert on tenants
referencing new table as added for each statement
when (current_setting('switchboard.is_restoring', true) is distinct from 'on')
execute function refuse_subdomain_of_deleted();

create function refuse_email_of_deleted() returns trigger
language plpgsql as $$
declare
  taken text;
begin
  select root.root_table into taken
  from added
  cross join lateral (
    -- Looks up each user in the index: a join would read all records.
    select root_id from deletions where table_name = 'users' and record ->> 'folded_email' = added.folded_email offset 0
  ) as held
  join deletions as root on root.root_id = held.root_id and root.is_root and root.kept_until is not null
  where root.root_table = 'tenants' or (root.record ->> 'tenant_id' is null and added.tenant_id is not null)
  limit 1;
  if taken = 'tenants' then
    raise unique_violation using constraint = 'users_email_unique_with_deleted';
  elsif taken is not null then
    raise unique_violation using constraint = 'users_email_unique_with_removed';
  end if;
  return null;
end $$;

create trigger users_email_free_on_insert after insert on users
referencing new table as added for each statement
when (current_setting('switchboard.is_restoring', true) is distinct from 'on')
execute function refuse_email_of_deleted();
create trigger users_email_free_on_update after update on users
referencing new table as added for each statement execute function refuse_email_of_deleted();
