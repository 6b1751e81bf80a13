-- Sessions of signed-in users, and the throttle of sign-ins.

-- A session belongs to one access token. Only the token's SHA-256 is stored, so the table opens no session.
create table sessions (
  id            uuid primary key default gen_random_uuid(),
  user_id       uuid not null references users on delete cascade,
  token_hash    bytea not null,
  created_at    timestamptz(3) not null,
  last_seen_at  timestamptz(3) not null,           -- start of the idle limit; written once a minute at most
  expires_at    timestamptz(3) not null,           -- the absolute limit
  address       text,
  user_agent    text,
  constraint sessions_token_hash_unique unique (token_hash)
);

create index sessions_by_user on sessions (user_id);
create index sessions_by_expiry on sessions (expires_at);

-- Sign-in attempts without success. A row is inserted before the password is hashed, so parallel guesses are counted,
-- and deleted when the sign-in succeeds.
create table sign_in_attempts (
  id           bigint generated always as identity primary key,
  account      bytea not null,                     -- SHA-256 of the typed e-mail address in lower case
  address      text not null,                      -- IPv4 address, or /64 network of an IPv6 address
  at           timestamptz(3) not null,
  is_known     boolean not null default false,     -- the account was signed in from this address before
  is_forgiven  boolean not null default false      -- a later success: counts for the limit of a day only
);

create index sign_in_attempts_by_account on sign_in_attempts (account, at);
create index sign_in_attempts_by_address on sign_in_attempts (address, at);
create index sign_in_attempts_by_time on sign_in_attempts (at);

-- Refusals of the throttle, one row per network and window. The first refusal gets an audit entry at once, the count
-- gets one when the window has ended.
create table sign_in_refusals (
  action    text not null,                         -- operation id: the sign-in, or a current password in a session
  address   text not null,                         -- as in sign_in_attempts
  began_at  timestamptz(3) not null,
  refusals  integer not null,
  primary key (action, address)
);

create index sign_in_refusals_by_beginning on sign_in_refusals (began_at);
