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

create or replace function tables_of_tenants() returns table (name text, place bigint, is_parent boolean, owned text)
language sql stable as $$ select * from tables_below('tenants') $$;

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
