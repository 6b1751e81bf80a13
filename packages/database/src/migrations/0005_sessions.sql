-- Sessions of signed-in users, the devices they sign in from, and the throttle of sign-ins.

-- A session belongs to one access token. Only the token's SHA-256 is stored, so nobody can open a session with this table.
create table sessions (
  id                        uuid primary key default gen_random_uuid(),
  user_id                   uuid not null references users on delete cascade,
  token_hash                bytea not null,
  created_at                timestamptz(3) not null,
  last_seen_at              timestamptz(3) not null,   -- start of the idle limit; written at most once a minute
  expires_at                timestamptz(3) not null,   -- the absolute limit
  -- Time of the sign-in or of the last confirmation: sensitive calls need a recent one.
  confirmed_at              timestamptz(3) not null default now(),
  -- The same with a second factor; null without one. An account with a second factor confirms with it, so that a stolen
  -- password is not enough to remove it.
  confirmed_with_factor_at  timestamptz(3),
  address                   text,
  user_agent                text,
  -- The identity and its session at the identity provider, for back-channel logout. Null after another sign-in.
  sso_identity_id           uuid references sso_identities on delete set null,
  sso_sid                   text,
  constraint sessions_token_hash_unique unique (token_hash)
);

create index sessions_by_user on sessions (user_id);
create index sessions_by_expiry on sessions (expires_at);
create index sessions_by_sso_identity on sessions (sso_identity_id) where sso_identity_id is not null;

-- Networks and browsers from which people signed in to an account of the console. After the first row, a new network or a
-- new browser is a new sign-in, and the account sees a notice until it is dismissed.
create table known_devices (
  id             uuid not null default gen_random_uuid(),
  user_id        uuid not null references users on delete cascade,
  network        text not null,                    -- IPv4 address, or /64 network of an IPv6 address
  device         text not null,                    -- browser and system: "Firefox on Linux"
  address        text not null,                    -- of the first sign-in
  first_at       timestamptz(3) not null,
  last_at        timestamptz(3) not null,          -- forgotten 90 days later
  session_id     uuid references sessions on delete set null,  -- of the first sign-in: this session sees no notice
  is_noticed     boolean not null default true,    -- false while the notice is shown
  -- The mail about the sign-in.
  mail_to        text,  -- address of the account at the sign-in: a later change of the address redirects no mail
  mail_state     text check (mail_state in ('queued', 'sent', 'failed')),  -- null: nothing to tell, or no mail server
  mail_attempts  integer not null default 0,
  mail_problem   text,  -- reason of the last failed attempt, as a sentence
  primary key (user_id, network, device),
  constraint known_devices_id_unique unique (id),
  constraint known_devices_mail_has_address check ((mail_state is null) = (mail_to is null))
);

create index known_devices_by_session on known_devices (session_id);

-- Sign-in attempts without success. A row is inserted before the password is hashed, so parallel guesses are counted,
-- and deleted when the sign-in succeeds.
create table sign_in_attempts (
  id           bigint generated always as identity primary key,
  account      bytea not null,                     -- SHA-256 of the typed e-mail address in lower case
  address      text not null,                      -- IPv4 address, or /64 network of an IPv6 address
  at           timestamptz(3) not null,
  is_known     boolean not null default false,     -- earlier sign-ins to the account came from this address
  is_forgiven  boolean not null default false      -- a later sign-in succeeded: counts only for the daily limit
);

create index sign_in_attempts_by_account on sign_in_attempts (account, at);
create index sign_in_attempts_by_address on sign_in_attempts (address, at);
create index sign_in_attempts_by_time on sign_in_attempts (at);

-- Refusals of the throttle, one row per network and window. The first refusal is recorded at once, and their number when the
-- window has ended: in the audit log, or in portal_sign_ins for a portal.
create table sign_in_refusals (
  action    text not null,                         -- operation id: the sign-in, or a current password in a session
  address   text not null,                         -- as in sign_in_attempts
  began_at  timestamptz(3) not null,
  refusals  integer not null,
  primary key (action, address)
);

create index sign_in_refusals_by_beginning on sign_in_refusals (began_at);
