-- Place look-ups at Google Maps during the last hour: each costs money, so a user has a limit. A row is inserted before
-- the call to Google, so parallel look-ups are counted.
create table place_lookups (
  id       bigint generated always as identity primary key,
  user_id  uuid not null references users on delete cascade,
  at       timestamptz(3) not null
);

create index place_lookups_by_user on place_lookups (user_id, at);
