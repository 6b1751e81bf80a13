-- Admins: the platform's super administrators and the administrators of tenants ("Users" on screen).

create table admins (
  id             uuid primary key default gen_random_uuid(),
  email          text not null check (char_length(email) <= 254),
  password_hash  text not null,                    -- argon2id with its parameters (PHC string)
  role           text not null check (role in ('super_admin', 'admin', 'manager', 'user')),
  tenant_id      uuid references tenants on delete cascade,
  is_active      boolean not null default true,
  created_at     timestamptz(3) not null default now(),
  -- Losing its tenant can never promote an admin.
  constraint admins_super_admin_has_no_tenant check ((role = 'super_admin') = (tenant_id is null))
);

create unique index admins_email_unique on admins (lower(email));
create index admins_by_tenant on admins (tenant_id);

-- tenants.admin_count, in the same transaction as the change, one update a tenant and statement.
create function count_admins_of_tenants() returns trigger
language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update tenants set admin_count = admin_count + n
    from (select tenant_id, count(*) as n from added group by tenant_id) as counted where id = tenant_id;
  elsif tg_op = 'DELETE' then
    update tenants set admin_count = admin_count - n
    from (select tenant_id, count(*) as n from removed group by tenant_id) as counted where id = tenant_id;
  else
    update tenants set admin_count = admin_count + n
    from (
      select tenant_id, sum(step) as n
      from (select tenant_id, 1 as step from added union all select tenant_id, -1 from removed) as moved
      group by tenant_id having sum(step) <> 0
    ) as counted
    where id = tenant_id;
  end if;
  return null;
end $$;

create trigger admins_counted_on_insert after insert on admins
referencing new table as added for each statement execute function count_admins_of_tenants();
create trigger admins_counted_on_delete after delete on admins
referencing old table as removed for each statement execute function count_admins_of_tenants();
create trigger admins_counted_on_update after update on admins
referencing old table as removed new table as added for each statement execute function count_admins_of_tenants();

-- A session is what an access token names. Only the token's SHA-256 is kept: the table opens nothing.
create table sessions (
  id            uuid primary key default gen_random_uuid(),
  admin_id      uuid not null references admins on delete cascade,
  token_hash    bytea not null,
  created_at    timestamptz(3) not null,
  last_seen_at  timestamptz(3) not null,           -- the idle limit counts from here; written once a minute at most
  expires_at    timestamptz(3) not null,           -- the absolute limit
  address       text,
  user_agent    text,
  constraint sessions_token_hash_unique unique (token_hash)
);

create index sessions_by_admin on sessions (admin_id);
create index sessions_by_expiry on sessions (expires_at);

-- Sign-in attempts that have not succeeded. A row is written before the password is hashed, so that parallel guesses
-- are counted, and removed when the sign-in succeeds.
create table sign_in_attempts (
  id          bigint generated always as identity primary key,
  account     bytea not null,                      -- SHA-256 of the address as typed, lowercased: it may be anything
  address     text not null,
  at          timestamptz(3) not null,
  is_refusal  boolean not null default false       -- by the throttle itself: does not count, is audited once a window
);

create index sign_in_attempts_by_account on sign_in_attempts (account, at);
create index sign_in_attempts_by_address on sign_in_attempts (address, at);
create index sign_in_attempts_by_time on sign_in_attempts (at);
