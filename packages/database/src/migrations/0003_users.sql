-- Users: the people of tenants, and the members, who run the console and have no tenant.

create table users (
  id                    uuid primary key default gen_random_uuid(),
  email                 text collate "und-x-icu" not null check (char_length(email) <= 254),
  -- `email` for comparison: in lower case, with the domain in ASCII, so that an internationalized domain names one account
  -- however it is typed. The servers write it, because the database cannot convert domains.
  folded_email          text not null,
  name                  text collate "und-x-icu" check (char_length(name) between 1 and 100),  -- null: unknown
  external_id           text check (char_length(external_id) between 1 and 255),  -- its id in a billing system or a CRM
  password_hash         text not null,                    -- argon2id with its parameters (PHC string), or "none"
  role                  text not null check (role in ('super_admin', 'support', 'auditor', 'admin', 'manager', 'user')),
  tenant_id             uuid references tenants on delete cascade,
  is_active             boolean not null default true,    -- false: cannot sign in
  must_change_password  boolean not null default false,   -- true: an admin has set the password
  -- False for accounts created by single sign-on, until a super admin allows a password, or a passkey in place of one.
  may_use_password      boolean not null default true,
  -- A break-glass account, made by `npm run admin`, signs in with a password while PASSWORD_SIGN_IN is off.
  is_break_glass        boolean not null default false,
  version               integer not null default 1,  -- optimistic locking: grows with the fields that admins edit
  created_at            timestamptz(3) not null default now(),
  updated_at            timestamptz(3) not null default now(),  -- when `version` grew, or the user was restored
  last_sign_in_at       timestamptz(3),                   -- null: never signed in
  -- Text for substring search, with leading spaces as in tenants. It finds an internationalized domain in both spellings.
  search_text           text not null generated always as (
    ' ' || lower(email) || case when email ~ '[^ -~]' then E'\n ' || folded_email else '' end
    || coalesce(E'\n ' || lower(name), '') || coalesce(E'\n ' || lower(external_id), '')
  ) stored,
  constraint users_external_id_unique unique (external_id),
  -- The roles of the console belong to no tenant, and a user without a tenant always has one of them.
  constraint users_console_role_has_no_tenant
    check ((role in ('super_admin', 'support', 'auditor')) = (tenant_id is null)),
  -- Refuses a new address with the old `folded_email`. Only the servers can convert non-ASCII domains and quotes.
  constraint users_folded_email_of_email check (folded_email = lower(email) or email ~ '[^ -~]|"'),
  constraint users_password_is_allowed check (may_use_password or password_hash = 'none')
);

create unique index users_email_unique on users (folded_email);
create index users_search on users using gin (search_text gin_trgm_ops);
-- The search of the palette puts exact names first.
create index users_by_lower_name on users (lower(name)) where name is not null;

-- One index per sort order, with the id as the tie-breaker, and one per filter.
create index users_by_email on users (email, id);
create index users_by_created_at on users (created_at, id);
create index users_by_updated_at on users (updated_at, id);
create index users_by_role on users (role, created_at, id);
create index users_by_is_active on users (is_active, created_at, id);
create index users_by_role_and_status on users (role, is_active, email, id);
create index users_by_tenant on users (tenant_id, created_at, id);
create index users_never_signed_in on users (created_at, id) where last_sign_in_at is null;
-- Users who never signed in sort as if they had signed in before all others.
create index users_by_last_sign_in on users ((coalesce(last_sign_in_at, '1970-01-01T00:00:00Z'::timestamptz)), id);

create trigger users_updated before update on users for each row
when (old.version <> new.version) execute function note_update();
