-- Tenants: the client organisations.

-- Substring search at a million rows needs trigrams.
create extension if not exists pg_trgm;

create table tenants (
  id              uuid primary key default gen_random_uuid(),
  -- Sorted as people sort: the root collation puts "apple" beside "Apple", not after "Zebra".
  name            text collate "und-x-icu" not null check (char_length(name) between 1 and 120),
  subdomain       text not null check (subdomain ~ '^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$'),  -- never changes
  status          text not null default 'active' check (status in ('active', 'inactive')),
  tenant_type     text not null check (tenant_type in ('product', 'service')),  -- which prompts and tools its customers meet
  goal            text not null default '' check (char_length(goal) <= 2000),   -- what its conversations lead to
  aggressiveness  numeric(3,1) not null default 5 check (aggressiveness between 0 and 10),
  admin_count     integer not null default 0,      -- kept by the triggers on admins
  version         integer not null default 1,      -- grows with every saved change; what If-Match is held against
  created_at      timestamptz(3) not null default now(),
  -- What search looks through. The leading spaces let a term of one or two letters, too short for a trigram of its
  -- own, be found as the beginning of a word.
  search_text     text not null generated always as (' ' || lower(name) || E'\n ' || subdomain) stored,
  constraint tenants_subdomain_unique unique (subdomain)
);

create index tenants_search on tenants using gin (search_text gin_trgm_ops);

-- One index for each way to sort, with the id to break ties: a deep page costs what the first one costs.
create index tenants_by_name on tenants (name, id);
create index tenants_by_created_at on tenants (created_at, id);
create index tenants_by_admin_count on tenants (admin_count, id);
-- A rare status or type is found here; a common one by walking the order of the page.
create index tenants_by_status on tenants (status, created_at, id);
create index tenants_by_tenant_type on tenants (tenant_type, created_at, id);
