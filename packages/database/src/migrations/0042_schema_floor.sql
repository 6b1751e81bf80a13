-- The migration that a release must have to work on this schema. A release without newer migrations still starts when it has
-- this one, so that servers of two releases run side by side and an upgrade can be taken back.
create table schema_floor (migration text not null);
insert into schema_floor (migration) values ('0042_schema_floor');
