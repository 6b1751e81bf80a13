-- Tags and custom fields of tenants.
alter table tenants
  add column tags text[] not null default '{}' check (cardinality(tags) <= 20),
  add column custom_fields jsonb not null default '{}' check (jsonb_typeof(custom_fields) = 'object');  -- values by name

-- The filter by a tag, and whether any tenant has a field of a name.
create index tenants_by_tag on tenants using gin (tags);
create index tenants_by_custom_field on tenants using gin (custom_fields);
-- All tags.
create index tenants_with_tags on tenants (id) where tags <> '{}';
