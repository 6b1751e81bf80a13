-- Tenants: the client organizations.

create table tenants (
  id                 uuid primary key default gen_random_uuid(),
  -- The ICU root collation sorts "apple" beside "Apple", not after "Zebra".
  name               text collate "und-x-icu" not null check (char_length(name) between 1 and 120),
  subdomain          text not null check (subdomain ~ '^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$'),  -- immutable
  status             text not null default 'active' check (status in ('active', 'inactive')),
  tenant_type        text not null check (tenant_type in ('product', 'service')),  -- selects prompts and tools
  goal               text not null default '' check (char_length(goal) <= 2000),   -- purpose of its conversations
  aggressiveness     numeric(3,1) not null default 5 check (aggressiveness between 0 and 10),  -- how hard the assistant sells
  tags               text[] not null default '{}' check (cardinality(tags) <= 20),
  custom_fields      jsonb not null default '{}' check (jsonb_typeof(custom_fields) = 'object'),  -- values by name
  external_id        text check (char_length(external_id) between 1 and 255),  -- its id in a billing system or a CRM
  version            integer not null default 1,        -- optimistic locking (If-Match): grows with every saved change
  created_at         timestamptz(3) not null default now(),
  updated_at         timestamptz(3) not null default now(),  -- when `version` grew, or the tenant was restored

  -- Why the tenant is inactive, since when, and until when. Only the status decides whether keys and tasks work: after the
  -- end, the tenant stays inactive until a worker reactivates it. All three are null for an active tenant.
  suspension_reason  text check (char_length(suspension_reason) between 1 and 200),
  suspended_at       timestamptz(3),
  suspended_until    timestamptz(3),                    -- null: no end

  -- Counts, maintained by the triggers in 0014_counters.sql. The names are those of the API.
  admin_count         integer not null default 0,       -- users of every role
  active_admin_count  integer not null default 0,       -- active users with the role admin
  api_key_count       integer not null default 0,
  task_count          integer not null default 0,

  -- Text for substring search. The leading spaces let a term of one or two letters, too short for a trigram, match the
  -- beginning of a word.
  search_text        text not null generated always as (
    ' ' || lower(name) || E'\n ' || subdomain || coalesce(E'\n ' || lower(external_id), '')
  ) stored,
  constraint tenants_subdomain_unique unique (subdomain),
  constraint tenants_external_id_unique unique (external_id),
  constraint tenants_suspended_while_inactive
    check (status = 'inactive' or num_nonnulls(suspension_reason, suspended_at, suspended_until) = 0)
);

create index tenants_search on tenants using gin (search_text gin_trgm_ops);

-- One index per sort order, with the id as the tie-breaker of keyset pagination.
create index tenants_by_name on tenants (name, id);
create index tenants_by_created_at on tenants (created_at, id);
create index tenants_by_updated_at on tenants (updated_at, id);
create index tenants_by_admin_count on tenants (admin_count, id);
-- One index per filter, and for both filters together.
create index tenants_by_status on tenants (status, created_at, id);
create index tenants_by_tenant_type on tenants (tenant_type, created_at, id);
create index tenants_by_status_and_type on tenants (status, tenant_type, created_at, id);
create index tenants_by_status_type_and_name on tenants (status, tenant_type, name, id);
-- "Needs attention": the list in its default order, and the dashboard with the most users first.
create index tenants_without_active_admin on tenants (created_at, id)
where active_admin_count = 0 and status = 'active';
create index tenants_without_active_admin_by_users on tenants (admin_count desc, created_at desc, id desc)
where active_admin_count = 0 and status = 'active';

-- For the workers: the suspensions that end next.
create index tenants_by_suspension_end on tenants (suspended_until) where suspended_until is not null;

-- For the filter by tag, the list of all tags, and whether any tenant has a field with a given name.
create index tenants_by_tag on tenants using gin (tags);
create index tenants_with_tags on tenants (id) where tags <> '{}';
create index tenants_by_custom_field on tenants using gin (custom_fields);

create trigger tenants_updated before update on tenants for each row
when (old.version <> new.version) execute function note_update();

-- Notes of super admins on tenants.

create table tenant_notes (
  id            uuid primary key default gen_random_uuid(),
  tenant_id     uuid not null references tenants on delete cascade,
  text          text not null check (char_length(text) between 1 and 2000),
  -- No foreign key: a note outlives its author.
  author_id     uuid not null,
  author_email  text not null,
  created_at    timestamptz(3) not null default now(),
  edited_at     timestamptz(3),  -- null: unchanged

  -- Text for substring search, with leading spaces as in tenants.
  search_text   text not null generated always as ((' ' || lower(text collate "und-x-icu")) collate "default") stored
);

create index tenant_notes_by_tenant on tenant_notes (tenant_id, created_at, id);
create index tenant_notes_search on tenant_notes using gin (search_text gin_trgm_ops);
