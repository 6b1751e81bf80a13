-- Second factors of the accounts that run the console: authenticator apps (TOTP) and passkeys (WebAuthn).

create table second_factors (
  id                 uuid primary key default gen_random_uuid(),
  user_id            uuid not null references users on delete cascade,
  kind               text not null check (kind in ('totp', 'passkey')),
  name               text not null check (char_length(name) between 1 and 60),
  created_at         timestamptz(3) not null,
  last_used_at       timestamptz(3),

  totp_secret        bytea,                            -- 20 bytes; not hashed, because each check computes with the secret
  totp_step          bigint,                           -- last accepted step of 30 seconds: a code is accepted once

  credential_id      text,                             -- base64url
  public_key         bytea,                            -- COSE
  sign_count         bigint,                           -- counter of the authenticator; 0 if it does not count
  transports         text[],
  is_user_verifying  boolean not null default false,   -- asks for a PIN or a fingerprint: may replace the password

  constraint second_factors_columns_of_kind check (
    (kind = 'totp') = (totp_secret is not null and totp_step is not null)
    and (kind = 'passkey') = (credential_id is not null and public_key is not null and sign_count is not null
      and transports is not null)
  )
);

create index second_factors_by_user on second_factors (user_id, created_at, id);
create unique index second_factors_credential_id_unique on second_factors (credential_id);

-- Recovery codes, each used once. A code has 120 random bits, so SHA-256 without a salt is sufficient.
create table recovery_codes (
  user_id    uuid not null references users on delete cascade,
  code_hash  bytea not null,
  used_at    timestamptz(3),
  primary key (user_id, code_hash)
);

-- Open challenges for a second factor. The right answer deletes the row.
create table sign_in_challenges (
  id                  uuid primary key default gen_random_uuid(),
  user_id             uuid references users on delete cascade,  -- null: a sign-in with only a passkey
  purpose             text not null check (purpose in ('sign_in', 'enrollment', 'confirmation')),
  created_at          timestamptz(3) not null,
  expires_at          timestamptz(3) not null,
  failures            integer not null default 0,               -- counted before an answer is checked
  webauthn_challenge  text not null,                            -- 32 random bytes as base64url
  totp_secret         bytea,                                    -- of an authenticator app to be added
  attempt_id          bigint,                                   -- the password step in sign_in_attempts
  address             text,
  user_agent          text
);

create index sign_in_challenges_by_user on sign_in_challenges (user_id);
create index sign_in_challenges_by_expiry on sign_in_challenges (expires_at);
create index sign_in_challenges_by_address on sign_in_challenges (address, created_at) where user_id is null;

-- The right password opens a challenge, so a new password ends it.
create function end_sign_in_challenges() returns trigger
language plpgsql as $$
begin
  delete from sign_in_challenges where user_id = new.id;
  return null;
end $$;

create trigger users_end_sign_in_challenges after update of password_hash on users
for each row when (old.password_hash is distinct from new.password_hash) execute function end_sign_in_challenges();

-- The rules for sign-ins to the console, in one row.
create table security_settings (
  is_only                 boolean primary key default true check (is_only),
  second_factor_required  boolean not null default false
);
insert into security_settings default values;
