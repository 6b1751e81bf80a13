-- Reviews of a task's place. The reviews of the last pull have last_seen_at = tasks.last_run.
create table reviews (
  task_id           uuid not null references tasks on delete cascade,
  id                uuid not null default gen_random_uuid(),
  name              text not null,                 -- Google's resource name of the review
  rank              integer not null,              -- position in Google's answer, from 1
  author_name       text,
  author_uri        text,
  author_photo_uri  text,
  rating            numeric(2,1),
  text              text,
  language          text,
  original_text     text,
  publish_time      timestamptz(3),
  google_maps_uri   text,
  first_seen_at     timestamptz(3) not null,
  last_seen_at      timestamptz(3) not null,       -- thirty days later the review is deleted
  last_changed_at   timestamptz(3) not null,
  -- Text for substring search, with leading spaces as in tenants. A list has few reviews, so there is no index.
  search_text       text not null generated always as ((
    ' ' || lower(coalesce(author_name, '') collate "und-x-icu")
    || E'\n ' || lower(coalesce(text, '') collate "und-x-icu")
    || E'\n ' || lower(coalesce(original_text, '') collate "und-x-icu")
  ) collate "default") stored,
  primary key (task_id, name)
);

create index reviews_by_last_seen on reviews (last_seen_at);
create unique index reviews_id_unique on reviews (id);
-- "Needs attention": new low ratings.
create index reviews_low on reviews (first_seen_at) where rating <= 2;

-- The rating of a task's place at the last successful run of a day. Written by the run; none when reviews are not stored.
create table place_ratings (
  task_id            uuid not null references tasks on delete cascade,
  day                date not null,                    -- in UTC; deleted after thirty days
  rating             numeric(2,1) not null,
  user_rating_count  integer not null,
  primary key (task_id, day)
);

create index place_ratings_by_day on place_ratings (day);

-- Place look-ups at Google Maps during the last hour: each costs money, so a user has a limit. A row is inserted before
-- the call to Google, so parallel look-ups are counted.
create table place_lookups (
  id       bigint generated always as identity primary key,
  user_id  uuid not null references users on delete cascade,
  at       timestamptz(3) not null
);

create index place_lookups_by_user on place_lookups (user_id, at);
