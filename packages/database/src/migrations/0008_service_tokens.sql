-- Service tokens: access of programs to both servers, and the answers kept for `Idempotency-Key`.

-- A token acts for its maker and is accepted only while the maker is an active super admin. Only the SHA-256 of the secret
-- is stored: 238 random bits need no salt. Revoked tokens stay, because the audit log names them.
create table service_tokens (
  id                 uuid primary key default gen_random_uuid(),
  name               text not null check (char_length(name) between 1 and 100),
  scopes             text[] not null check (cardinality(scopes) > 0),
  -- The only tenants that the token may ask about; empty: every tenant. The ids of deleted tenants stay, because a token
  -- for one tenant must never become a token for all.
  tenant_ids         uuid[] not null default '{}',
  token_hash         bytea not null,
  token_start        text not null,                       -- first characters of the secret, to find it in a configuration
  networks           text[] not null default '{}',        -- CIDR; empty: every network
  created_by_id      uuid references users on delete set null,
  created_by_email   text not null,                       -- when the token was created
  created_at         timestamptz(3) not null,
  expires_at         timestamptz(3) not null,
  last_used_at       timestamptz(3),                      -- written at most once a minute
  last_used_address  text,
  refused_at         timestamptz(3),                      -- last audited refusal of an address outside of the networks
  revoked_at         timestamptz(3),
  constraint service_tokens_token_hash_unique unique (token_hash)
);

create index service_tokens_by_maker on service_tokens (created_by_id);
-- Unique, because the audit log names a token by its name.
create unique index service_tokens_name_unique on service_tokens (lower(name)) where revoked_at is null;

-- One row per `Idempotency-Key` of a caller. The id, the fingerprint and the answer's encryption key are derived from the
-- caller's bearer token and the key, so nobody can read them with only the database.
create table idempotency_keys (
  id           bytea primary key,
  fingerprint  bytea not null,                            -- HMAC of the path and the body of the call
  request_id   text not null,                             -- of the call, as in the audit log
  claimed_at   timestamptz(3) not null,                   -- start of the call; the row is kept for 24 hours
  status       integer,                                   -- of the answer; null while the call is in progress
  answer       bytea                                      -- body of the answer, encrypted with AES-256-GCM
);

create index idempotency_keys_by_time on idempotency_keys (claimed_at);
