-- Files below /assets/ of all recent releases of the console, so that open pages of another release work during a
-- rolling upgrade. Each admin-api inserts its own files at its start.
create table console_files (
  name        text primary key,                     -- contains a hash of the content
  content     bytea not null,
  started_at  timestamptz(3) not null default now() -- last start of an admin-api with this file
);
