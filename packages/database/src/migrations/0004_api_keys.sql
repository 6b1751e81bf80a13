-- API keys: records of the secrets by which assistants and gateways authenticate. A key lives as long as its tenant: a
-- deleted key is revoked and hidden.

create table api_keys (
  id                     uuid primary key default gen_random_uuid(),  -- identifies the key in URLs, logs and audit
  tenant_id              uuid not null references tenants on delete cascade,
  name                   text not null check (char_length(name) between 1 and 132),
  description            text not null default '' check (char_length(description) <= 500),
  key_hash               bytea not null,                -- SHA-256 of the whole secret: 178 random bits need no slow hash
  key_prefix             text not null,                 -- sb_live_
  key_start              text not null check (char_length(key_start) = 4),  -- first and last four characters, by which
  key_last4              text not null check (char_length(key_last4) = 4),  -- a found secret is matched to its record
  allowed_origins        text[] not null default '{}' check (cardinality(allowed_origins) <= 50),  -- normalised; empty: any
  is_active              boolean not null default true, -- set by the toggle; permanently false once revoked
  created_at             timestamptz(3) not null default now(),
  expires_at             timestamptz(3),                -- end of validity; of a rotated key, the end of the grace period
  revoked_at             timestamptz(3),
  deleted_at             timestamptz(3),
  -- Rotation. No foreign key: rows are deleted with their tenant only, all at once.
  rotated_from           uuid,
  rotated_at             timestamptz(3),                -- creation of the successor
  grace_ends_at          timestamptz(3),
  original_expires_at    timestamptz(3),                -- expires_at as chosen at creation
  calls_before_rotation  bigint,                        -- accepted checks until the rotation, at most two seconds late
  version                integer not null default 1,    -- grows with every change by a user
  -- Text for substring search, with a leading space as in tenants.
  search_text            text not null generated always as (' ' || lower(name collate "und-x-icu")) stored,
  constraint api_keys_key_hash_unique unique (key_hash),
  constraint api_keys_revoked_is_inactive check (revoked_at is null or not is_active),
  constraint api_keys_deleted_is_revoked check (deleted_at is null or revoked_at is not null)
);

create index api_keys_by_tenant on api_keys (tenant_id, created_at, id);
-- At most one successor that is not revoked, also when two users rotate at once.
create unique index api_keys_rotated_once on api_keys (rotated_from) where revoked_at is null;
-- The command palette finds keys by name, by the ends of the secret and by the end of the id.
create index api_keys_search on api_keys using gin (search_text gin_trgm_ops);
create index api_keys_by_name on api_keys (name);
create index api_keys_by_secret_end on api_keys (key_last4, key_start);
create index api_keys_by_id_end on api_keys ("right"(id::text, 4));
-- "Needs attention". Deleted keys are revoked, and revoked keys are inactive.
create index api_keys_expiring on api_keys (expires_at, id) include (tenant_id)
where is_active and grace_ends_at is null and expires_at is not null;

-- Results of key checks per day in UTC, written in batches by every ai-api.
create table api_key_outcomes (
  api_key_id  uuid not null references api_keys on delete cascade,
  day         date not null,
  outcome     text not null
    check (outcome in ('valid', 'revoked', 'tenant_inactive', 'disabled', 'expired', 'origin_refused')),
  count       bigint not null,
  last_at     timestamptz(3) not null,                -- last check of the day with this outcome, at most two seconds late
  primary key (api_key_id, day, outcome)
) with (fillfactor = 70);                             -- updated often: leaves room for HOT updates

create index api_key_outcomes_refused on api_key_outcomes (day, api_key_id) where outcome <> 'valid';

-- The last written batch of each running ai-api. A batch is sent again when its answer was lost; this row makes the
-- second write a no-op.
create table api_key_use_writers (
  id     uuid primary key,                            -- random, new at each start of the process
  batch  integer not null,
  at     timestamptz(3) not null
);

-- Cache invalidation: every ai-api listens on the channel api_keys for "key <id>" and "tenant <id>".
create function announce_api_key() returns trigger
language plpgsql as $$
begin
  perform pg_notify('api_keys', case tg_table_name when 'tenants' then 'tenant ' else 'key ' end || old.id);
  return null;
end $$;

create trigger api_keys_announced_on_update after update on api_keys for each row
when (
  (old.tenant_id, old.key_hash, old.is_active, old.allowed_origins, old.expires_at, old.grace_ends_at, old.revoked_at)
  is distinct from
  (new.tenant_id, new.key_hash, new.is_active, new.allowed_origins, new.expires_at, new.grace_ends_at, new.revoked_at)
)
execute function announce_api_key();
create trigger api_keys_announced_on_delete after delete on api_keys for each row execute function announce_api_key();
create trigger tenants_announced_on_update after update on tenants for each row
when (old.status <> new.status) execute function announce_api_key();
create trigger tenants_announced_on_delete after delete on tenants for each row execute function announce_api_key();
