-- Single sign-on by OpenID Connect.

-- Sign-ins under way at the identity provider, for ten minutes. Its answer deletes the row.
create table sso_flows (
  state_hash     bytea primary key,        -- SHA-256 of the parameter "state"
  browser_hash   bytea not null,           -- SHA-256 of the cookie that binds the sign-in to its browser
  nonce          text not null,
  code_verifier  text not null,            -- of PKCE; useless without the code and the client secret
  redirect       text,                     -- path of the console to open after the sign-in
  address        text not null,            -- network as in sign_in_attempts; a network has a limited number of rows
  expires_at     timestamptz(3) not null
);

create index sso_flows_by_address on sso_flows (address);
create index sso_flows_by_expiry on sso_flows (expires_at);

-- Verified sign-ins that have no session yet, for one minute. Exchanging the code for a session deletes the row.
create table sso_codes (
  code_hash          bytea primary key,    -- SHA-256 of the one-time code
  browser_hash       bytea not null,
  issuer             text not null,
  subject            text not null,
  email              text,                 -- null: not among the claims
  is_email_verified  boolean,              -- null: not among the claims
  name               text,                 -- of the person; null: not among the claims
  role               text not null check (role in ('super_admin', 'support', 'auditor')),
  sid                text,                 -- session at the identity provider
  expires_at         timestamptz(3) not null
);

create index sso_codes_by_expiry on sso_codes (expires_at);

-- Accounts by their identity at an identity provider. A person's address may change; the identity does not.
create table sso_identities (
  id          uuid primary key default gen_random_uuid(),
  issuer      text not null,
  subject     text not null,
  user_id     uuid not null references users on delete cascade,
  created_at  timestamptz(3) not null,
  constraint sso_identities_subject_unique unique (issuer, subject)
);

create index sso_identities_by_user on sso_identities (user_id);

-- Logout tokens received within their lifetime: each is accepted once.
create table sso_logout_tokens (
  jti_hash    bytea primary key,           -- SHA-256 of the claim "jti"
  expires_at  timestamptz(3) not null
);

create index sso_logout_tokens_by_expiry on sso_logout_tokens (expires_at);
