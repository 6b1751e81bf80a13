-- What all tables share. One file per noun follows, each with its tables, indexes and triggers.

-- Trigram indexes for substring search.
create extension if not exists pg_trgm;

-- The migration that a release must have to work on this schema. A release that has it but lacks newer ones still starts, so
-- servers of two releases can run side by side and an upgrade can be rolled back.
create table schema_floor (migration text not null);

create function refuse_change() returns trigger
language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;
insert into schema_floor (migration) values ('0001_schema');

-- `updated_at` of tenants, users, API keys and tasks, for programs that copy them: the time of the last change of `version`.
create function note_update() returns trigger
language plpgsql as $$
begin
  new.updated_at := now();
  return new;
end $$;
