-- Look-ups at Google Maps of the last hour: each costs money, so that one admin may make only so many. A row is written
-- before Google is asked, so that parallel ones are counted, and removed when it counts no longer.
create table place_lookups (
  id        bigint generated always as identity primary key,
  admin_id  uuid not null references admins on delete cascade,
  at        timestamptz(3) not null
);

create index place_lookups_by_admin on place_lookups (admin_id, at);
