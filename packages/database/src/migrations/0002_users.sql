-- Users: the people of tenants, and the super admins of the console, who have no tenant.

create table users (
  id              uuid primary key default gen_random_uuid(),
  email           text collate "und-x-icu" not null check (char_length(email) <= 254),
  password_hash   text not null,                    -- argon2id with its parameters (PHC string)
  role            text not null check (role in ('super_admin', 'admin', 'manager', 'user')),
  tenant_id       uuid references tenants on delete cascade,
  is_active       boolean not null default true,    -- false: cannot sign in
  created_at      timestamptz(3) not null default now(),
  last_sign_in_at timestamptz(3),                   -- last sign-in to the console; null: never signed in
  -- Text for substring search, with a leading space as in tenants.
  search_text     text not null generated always as (' ' || lower(email)) stored,
  -- A super admin belongs to no tenant, and a user without a tenant is always a super admin.
  constraint users_super_admin_has_no_tenant check ((role = 'super_admin') = (tenant_id is null))
);

create unique index users_email_unique on users (lower(email));
create index users_search on users using gin (search_text gin_trgm_ops);

-- One index per sort order, with the id as the tie-breaker, and one per filter.
create index users_by_email on users (email, id);
create index users_by_created_at on users (created_at, id);
create index users_by_role on users (role, created_at, id);
create index users_by_is_active on users (is_active, created_at, id);
create index users_by_role_and_status on users (role, is_active, email, id);
create index users_by_tenant on users (tenant_id, created_at, id);
create index users_never_signed_in on users (created_at, id) where last_sign_in_at is null;
