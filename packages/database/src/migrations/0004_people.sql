-- What the list of admins ("Users" on screen) needs at a million rows.

-- Sorted as people sort, and lowered by the same rules whatever the database's own locale.
alter table admins alter column email type text collate "und-x-icu";

-- What search looks through; the leading space as in tenants.
alter table admins add column search_text text not null generated always as (' ' || lower(email)) stored;
create index admins_search on admins using gin (search_text gin_trgm_ops);

-- One index for each way to sort, with the id to break ties, and one for each filter.
create index admins_by_email on admins (email, id);
create index admins_by_created_at on admins (created_at, id);
create index admins_by_role on admins (role, created_at, id);
create index admins_by_is_active on admins (is_active, created_at, id);
drop index admins_by_tenant;
create index admins_by_tenant on admins (tenant_id, created_at, id);
