-- The files below /assets/ of every release of the console that runs or ran lately. Each admin-api writes its own ones
-- when it starts. It serves from here the files of other releases: their pages stay open, and two releases run side by
-- side during an upgrade.
create table console_files (
  name        text primary key,                     -- holds a hash of the content, so that it never changes
  content     bytea not null,
  started_at  timestamptz(3) not null default now() -- the last start of an admin-api that has the file itself
);
