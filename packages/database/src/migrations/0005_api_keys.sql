-- API keys: records of the secrets by which assistants and gateways prove whose they are. A key is never removed while
-- its tenant is there: deleting one revokes and hides it.

create table api_keys (
  id                   uuid primary key default gen_random_uuid(),  -- what URLs, logs and audit name
  tenant_id            uuid not null references tenants on delete cascade,
  name                 text not null check (char_length(name) between 1 and 132),
  description          text not null default '' check (char_length(description) <= 500),
  key_hash             bytea not null,                -- SHA-256 of the whole secret: 178 random bits need no slow hash
  hash_version         integer not null default 1,    -- 1: SHA-256 without a pepper
  key_prefix           text not null,                 -- sb_live_
  key_start            text not null check (char_length(key_start) = 4),  -- first and last four characters, by which
  key_last4            text not null check (char_length(key_last4) = 4),  -- a found secret is matched to its record
  allowed_origins      text[] not null default '{}' check (cardinality(allowed_origins) <= 50),  -- normalised; empty: any
  is_active            boolean not null default true, -- the toggle; false for good once revoked
  created_at           timestamptz(3) not null default now(),
  last_used_at         timestamptz(3),                -- last valid check, at most two seconds late; only moves forward
  expires_at           timestamptz(3),                -- valid strictly before; of a rotated key, the end of its grace
  revoked_at           timestamptz(3),
  deleted_at           timestamptz(3),
  -- Rotation. No foreign key: rows go only with their tenant, all at once.
  rotated_from         uuid,
  rotated_at           timestamptz(3),                -- when a successor was made
  grace_ends_at        timestamptz(3),
  original_expires_at  timestamptz(3),                -- expires_at as chosen when the key was made
  version              integer not null default 1,    -- grows with every change by an admin
  constraint api_keys_key_hash_unique unique (key_hash),
  constraint api_keys_revoked_is_inactive check (revoked_at is null or not is_active),
  constraint api_keys_deleted_is_revoked check (deleted_at is null or revoked_at is not null)
);

create index api_keys_by_tenant on api_keys (tenant_id, created_at, id);
-- One living successor, also when two admins rotate at once.
create unique index api_keys_rotated_once on api_keys (rotated_from) where revoked_at is null;

-- How many keys a tenant has and how many of them are switched on, as lists show it.
alter table tenants
  add column api_key_count integer not null default 0,         -- kept by the triggers on api_keys, as is the next
  add column active_api_key_count integer not null default 0;

-- In the same transaction as the change, one update a tenant and statement.
create function count_api_keys_of_tenants() returns trigger
language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update tenants set api_key_count = api_key_count + n, active_api_key_count = active_api_key_count + active
    from (
      select tenant_id, count(*) as n, count(*) filter (where is_active) as active
      from added where deleted_at is null group by tenant_id
    ) as counted
    where id = tenant_id;
  else
    update tenants set api_key_count = api_key_count - n, active_api_key_count = active_api_key_count - active
    from (
      select tenant_id, count(*) as n, count(*) filter (where is_active) as active
      from removed where deleted_at is null group by tenant_id
    ) as counted
    where id = tenant_id;
  end if;
  return null;
end $$;

create trigger api_keys_counted_on_insert after insert on api_keys
referencing new table as added for each statement execute function count_api_keys_of_tenants();
create trigger api_keys_counted_on_delete after delete on api_keys
referencing old table as removed for each statement execute function count_api_keys_of_tenants();

-- A change is of one row at a time, and last_used_at, which changes all the time, does not count: a row trigger with a
-- condition costs nothing then.
create function count_changed_api_key() returns trigger
language plpgsql as $$
begin
  update tenants set
    api_key_count = api_key_count + (new.deleted_at is null)::int - (old.deleted_at is null)::int,
    active_api_key_count = active_api_key_count + new.is_active::int - old.is_active::int
  where id = new.tenant_id;
  return null;
end $$;

create trigger api_keys_counted_on_update after update on api_keys for each row
when (old.is_active <> new.is_active or (old.deleted_at is null) <> (new.deleted_at is null))
execute function count_changed_api_key();

-- Every ai-api listens, and forgets what it knew of the key or of the tenant's keys: "key <id>" or "tenant <id>".
create function announce_changed_api_key() returns trigger
language plpgsql as $$
begin
  perform pg_notify('api_keys', 'key ' || old.id);
  return null;
end $$;

create trigger api_keys_announced_on_update after update on api_keys for each row
when (
  (old.tenant_id, old.key_hash, old.is_active, old.allowed_origins, old.expires_at, old.grace_ends_at, old.revoked_at)
  is distinct from
  (new.tenant_id, new.key_hash, new.is_active, new.allowed_origins, new.expires_at, new.grace_ends_at, new.revoked_at)
)
execute function announce_changed_api_key();
create trigger api_keys_announced_on_delete after delete on api_keys for each row
execute function announce_changed_api_key();

create function announce_changed_tenant() returns trigger
language plpgsql as $$
begin
  perform pg_notify('api_keys', 'tenant ' || old.id);
  return null;
end $$;

create trigger tenants_announced_on_update after update on tenants for each row
when (old.status <> new.status) execute function announce_changed_tenant();
create trigger tenants_announced_on_delete after delete on tenants for each row
execute function announce_changed_tenant();

-- How the checks of a key ended, by day in UTC. Written in batches by every ai-api.
create table api_key_outcomes (
  api_key_id  uuid not null references api_keys on delete cascade,
  day         date not null,
  outcome     text not null
    check (outcome in ('valid', 'revoked', 'tenant_inactive', 'disabled', 'expired', 'origin_refused')),
  count       bigint not null,
  primary key (api_key_id, day, outcome)
);

-- The last batch that each running ai-api has written. A batch whose answer was lost on the way is sent again and
-- recognised here, so that nothing is counted twice.
create table api_key_use_writers (
  id     uuid primary key,                            -- drawn by the process when it starts
  batch  integer not null,
  at     timestamptz(3) not null
);
