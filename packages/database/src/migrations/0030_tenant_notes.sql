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
