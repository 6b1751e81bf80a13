-- The list of API keys: search, sort orders and folded keys, for 10,000 keys of a tenant and 200,000 keys in all.

alter table api_keys
  -- Copied by triggers, for sorting and search.
  add column tenant_name text collate "und-x-icu" not null default '',
  add column tenant_subdomain text not null default '',
  -- Whether a key that is not deleted has replaced this key. Kept by triggers.
  add column is_replaced boolean not null default false;

create index api_keys_by_predecessor on api_keys (rotated_from) where rotated_from is not null;

alter table api_keys disable trigger user;
update api_keys set
  tenant_name = tenants.name,
  tenant_subdomain = tenants.subdomain,
  is_replaced = exists (
    select from api_keys as successor where successor.rotated_from = api_keys.id and successor.deleted_at is null
  )
from tenants where tenants.id = api_keys.tenant_id;
alter table api_keys enable trigger user;

create function copy_tenant_of_key() returns trigger
language plpgsql as $$
begin
  -- Without a tenant the foreign key fails later.
  select coalesce(max(name), ''), coalesce(max(subdomain), '') into new.tenant_name, new.tenant_subdomain
  from tenants where id = new.tenant_id;
  return new;
end $$;

create trigger api_keys_named_on_insert before insert on api_keys for each row execute function copy_tenant_of_key();

create function rename_tenant_of_keys() returns trigger
language plpgsql as $$
begin
  perform set_config('switchboard.is_renaming', 'on', true);
  update api_keys set tenant_name = new.name where tenant_id = new.id;
  perform set_config('switchboard.is_renaming', 'off', true);
  return null;
end $$;

-- A new name changes no counter, and counting 10,000 keys twice takes seconds.
drop trigger api_keys_counted_on_update on api_keys;
create trigger api_keys_counted_on_update after update on api_keys
referencing old table as removed new table as added for each statement
when (current_setting('switchboard.is_renaming', true) is distinct from 'on')
execute function count_rows();

create trigger tenants_renamed_in_api_keys after update on tenants for each row
when (old.name <> new.name) execute function rename_tenant_of_keys();

create function mark_replaced_key() returns trigger
language plpgsql as $$
begin
  update api_keys set is_replaced = exists (
    select from api_keys as successor where successor.rotated_from = new.rotated_from and successor.deleted_at is null
  )
  where id = new.rotated_from;
  return null;
end $$;

create trigger api_keys_replaced_on_insert after insert on api_keys for each row
when (new.rotated_from is not null) execute function mark_replaced_key();
create trigger api_keys_replaced_on_delete after update on api_keys for each row
when (new.rotated_from is not null and new.deleted_at is distinct from old.deleted_at) execute function mark_replaced_key();

-- array_to_string is only stable, because the text of some types depends on settings. The text of text does not.
create function words_of(origins text[]) returns text
language sql immutable parallel safe
return array_to_string(origins, E'\n ');

-- Names sort like the names of tenants. The generated column must go before its source changes.
drop index api_keys_by_name, api_keys_search;
alter table api_keys drop column search_text;
alter table api_keys alter column name type text collate "und-x-icu";
alter table api_keys add column search_text text not null generated always as (
  ' ' || lower(name) || E'\n ' || lower(tenant_name) || E'\n ' || tenant_subdomain
  || E'\n ' || lower(description collate "und-x-icu") || E'\n ' || words_of(allowed_origins)
  || E'\n ' || lower(key_start) || '…' || lower(key_last4) || E'\n ' || "right"(id::text, 4)
) stored;
create index api_keys_search on api_keys using gin (search_text gin_trgm_ops);

-- One index per sort order that does not change with time or traffic, with the id as the tie-breaker. Keys without an
-- expiry sort as if they expired last.
create index api_keys_by_name on api_keys (name, id);
create index api_keys_by_tenant_name on api_keys (tenant_name, created_at desc, id desc) where deleted_at is null;
create index api_keys_by_created_at on api_keys (created_at, id) where deleted_at is null;
create index api_keys_by_expiry on api_keys ((coalesce(expires_at, '9999-12-31T23:59:59.999Z'::timestamptz)), id)
where deleted_at is null;

-- Totals of the list: a new facet of the keys. The number of working keys depends on the time, so no counter keeps it.
alter table tenants drop column active_api_key_count;

create or replace function facets_of(noun text, record jsonb) returns table (facet text, value text)
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
      ('fold', case when record @> '{"deleted_at": null}' then (record @> '{"is_replaced": false}')::text end),
      ('api_key_count', case when record @> '{"deleted_at": null}' then tenant_id end)
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

create or replace function add_to_counters(noun text, steps jsonb) returns void
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

insert into counters (noun, facet, value, count)
select 'api_keys', facet, value, count(*)
from api_keys cross join lateral facets_of('api_keys', to_jsonb(api_keys)) where facet = 'fold' group by facet, value;
