-- API keys: records of the secrets with which assistants and gateways authenticate. A deleted key is in `deletions`.

-- array_to_string is only stable, because settings change the text of some types. They do not change text itself.
create function words_of(origins text[]) returns text
language sql immutable parallel safe
return array_to_string(origins, E'\n ');

create table api_keys (
  id                     uuid primary key default gen_random_uuid(),  -- identifies the key in URLs, logs and the audit log
  tenant_id              uuid not null references tenants on delete cascade,
  tenant_name            text collate "und-x-icu" not null default '',  -- copied by triggers, for sorting and search
  tenant_subdomain       text not null default '',      -- likewise
  environment            text not null default 'live' check (environment in ('live', 'test')),  -- never changes
  name                   text collate "und-x-icu" not null check (char_length(name) between 1 and 132),
  description            text not null default '' check (char_length(description) <= 500),
  key_hash               bytea not null,                -- SHA-256 of the whole secret: 178 random bits need no slow hash
  key_prefix             text not null,                 -- sb_live_ or sb_test_
  key_start              text not null check (char_length(key_start) = 4),  -- first and last four characters, by which
  key_last4              text not null check (char_length(key_last4) = 4),  -- a found secret is matched to its record
  allowed_origins        text[] not null default '{}' check (cardinality(allowed_origins) <= 50),  -- normalized; empty: any
  is_active              boolean not null default true, -- set by the toggle; permanently false once revoked
  created_at             timestamptz(3) not null default now(),
  updated_at             timestamptz(3) not null default now(),  -- when `version` grew, or the key was restored
  last_used_at           timestamptz(3),                -- last accepted check, at most an hour behind; exact in api_key_calls
  expires_at             timestamptz(3),                -- end of validity; of a rotated key, the end of the grace period
  revoked_at             timestamptz(3),
  noted_expiry           timestamptz(3),                -- the expires_at of which the audit log tells that it was reached
  reported_at            timestamptz(3),                -- first report of the secret as leaked, and where it was found
  reported_url           text check (char_length(reported_url) <= 2000),
  -- Rotation. No foreign key: the keys of a rotation are deleted one by one.
  rotated_from           uuid,
  rotated_at             timestamptz(3),                -- creation of the successor
  grace_ends_at          timestamptz(3),
  original_expires_at    timestamptz(3),                -- expires_at as chosen at creation
  calls_before_rotation  bigint,                        -- accepted checks until the rotation, at most ten seconds late
  is_replaced            boolean not null default false,  -- whether another key has replaced this one; by triggers
  version                integer not null default 1,    -- grows with every change by a user
  -- Text for substring search, with leading spaces as in tenants.
  search_text            text not null generated always as (
    ' ' || lower(name) || E'\n ' || lower(tenant_name) || E'\n ' || tenant_subdomain
    || E'\n ' || lower(description collate "und-x-icu") || E'\n ' || words_of(allowed_origins)
    || E'\n ' || lower(key_start) || '…' || lower(key_last4) || E'\n ' || "right"(id::text, 4)
  ) stored,
  constraint api_keys_key_hash_unique unique (key_hash),
  constraint api_keys_revoked_is_inactive check (revoked_at is null or not is_active)
) with (fillfactor = 80);                             -- last_used_at changes every hour: leaves room for HOT updates

-- At most one successor that is not revoked, even when two users rotate the key at once.
create unique index api_keys_rotated_once on api_keys (rotated_from) where revoked_at is null;
create index api_keys_by_predecessor on api_keys (rotated_from) where rotated_from is not null;
-- The command palette finds keys by name, by the ends of the secret and by the end of the id.
create index api_keys_search on api_keys using gin (search_text gin_trgm_ops);
create index api_keys_by_secret_end on api_keys (key_last4, key_start);
create index api_keys_by_id_end on api_keys ("right"(id::text, 4));
-- "Needs attention" includes only live keys. Revoked keys are inactive.
create index api_keys_expiring on api_keys (expires_at, id) include (tenant_id)
where is_active and grace_ends_at is null and expires_at is not null and environment = 'live';

-- The worker notes expired keys in the audit log.
create index api_keys_unnoted_expiry on api_keys (expires_at)
where revoked_at is null and noted_expiry is distinct from expires_at and expires_at is not null;

-- The keys of a tenant. Lists of all keys collect and sort the matching ones, because most of their orders change with time or
-- traffic.
create index api_keys_by_tenant on api_keys (tenant_id, created_at, id)
include (is_replaced, is_active, expires_at, grace_ends_at, revoked_at);
create index api_keys_by_name on api_keys (name);
create index api_keys_by_updated_at on api_keys (updated_at, id);
create index api_keys_test_by_tenant on api_keys (tenant_id) where environment = 'test';

-- "Needs attention": the reported keys.
create index api_keys_reported on api_keys (reported_at, id) include (tenant_id) where reported_at is not null;

create trigger api_keys_updated before update on api_keys for each row
when (old.version <> new.version) execute function note_update();

-- Cache invalidation: every ai-api listens on the channel api_keys for "key <id>", "tenant <id>" and "prompt <type>". A
-- tenant is announced when its keys or its rendered prompts change.
create function announce_api_key() returns trigger
language plpgsql as $$
begin
  perform pg_notify('api_keys', case tg_table_name when 'tenants' then 'tenant ' else 'key ' end || old.id);
  return null;
end $$;

create trigger api_keys_announced_on_update after update on api_keys for each row
when (
  (old.tenant_id, old.key_hash, old.is_active, old.allowed_origins, old.expires_at, old.grace_ends_at, old.revoked_at,
   old.name)
  is distinct from
  (new.tenant_id, new.key_hash, new.is_active, new.allowed_origins, new.expires_at, new.grace_ends_at, new.revoked_at,
   new.name)
)
execute function announce_api_key();
create trigger api_keys_announced_on_delete after delete on api_keys for each row execute function announce_api_key();
create trigger tenants_announced_on_update after update on tenants for each row
when (
  (old.status, old.name, old.tags, old.custom_fields, old.subdomain, old.tenant_type, old.goal, old.aggressiveness)
  is distinct from
  (new.status, new.name, new.tags, new.custom_fields, new.subdomain, new.tenant_type, new.goal, new.aggressiveness)
)
execute function announce_api_key();
create trigger tenants_announced_on_delete after delete on tenants for each row execute function announce_api_key();

create function copy_tenant_of_key() returns trigger
language plpgsql as $$
begin
  -- Without a tenant the foreign key fails later.
  select coalesce(max(name), ''), coalesce(max(subdomain), '') into new.tenant_name, new.tenant_subdomain
  from tenants where id = new.tenant_id;
  -- While the key was deleted, its successor may have gone, or a new one may have come.
  new.is_replaced := exists (select from api_keys where rotated_from = new.id);
  return new;
end $$;

create trigger api_keys_named_on_insert before insert on api_keys for each row execute function copy_tenant_of_key();

create function rename_tenant_of_keys() returns trigger
language plpgsql as $$
begin
  perform set_config('switchboard.is_uncounted', 'on', true);
  update api_keys set tenant_name = new.name where tenant_id = new.id;
  perform set_config('switchboard.is_uncounted', 'off', true);
  return null;
end $$;

create trigger tenants_renamed_in_api_keys after update on tenants for each row
when (old.name <> new.name) execute function rename_tenant_of_keys();

create function mark_replaced_key() returns trigger
language plpgsql as $$
declare
  predecessor uuid := case tg_op when 'DELETE' then old.rotated_from else new.rotated_from end;
begin
  update api_keys set is_replaced = exists (select from api_keys as successor where successor.rotated_from = predecessor)
  where id = predecessor;
  return null;
end $$;

create trigger api_keys_replaced_on_insert after insert on api_keys for each row
when (new.rotated_from is not null) execute function mark_replaced_key();
create trigger api_keys_replaced_on_delete after delete on api_keys for each row
when (old.rotated_from is not null) execute function mark_replaced_key();
