-- What all tables share. One file per noun follows, each with its tables, indexes and triggers.

-- Trigram indexes for substring search.
create extension if not exists pg_trgm;

-- The migration that a release must have to work on this schema. An older release without the newer migrations still starts
-- when it has this one, so that servers of two releases run side by side and an upgrade can be taken back.
create table schema_floor (migration text not null);

create function refuse_change() returns trigger
language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;
insert into schema_floor (migration) values ('0001_schema');
