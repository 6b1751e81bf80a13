-- Indexes of the command palette. palette.queries.ts repeats the expressions.

-- Tasks by the id and by the name of their place.
create index tasks_by_place_id on tasks ((extra_data ->> 'place_id'));
create index tasks_by_place_name on tasks (lower(extra_data ->> 'place_name'));
-- Text for substring search, with leading spaces as in tenants.
create index tasks_place_search on tasks using gin ((
  (
    ' ' || lower(coalesce(extra_data ->> 'place_name', '') collate "und-x-icu")
    || E'\n ' || lower(extra_data ->> 'place_id')
  ) collate "default"
) gin_trgm_ops);

create index prompt_versions_search on prompt_versions using gin ((
  (
    ' version ' || version::text
    || E'\n ' || lower(note collate "und-x-icu")
    || E'\n ' || lower(coalesce(author_email, 'Switchboard') collate "und-x-icu")
  ) collate "default"
) gin_trgm_ops);
