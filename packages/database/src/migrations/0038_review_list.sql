-- The list of the reviews of a tenant, and the ratings of places over time.

alter table reviews
  add column id uuid not null default gen_random_uuid(),
  -- Text for substring search, with leading spaces as in tenants. A list has few reviews, so there is no index.
  add column search_text text not null generated always as ((
    ' ' || lower(coalesce(author_name, '') collate "und-x-icu")
    || E'\n ' || lower(coalesce(text, '') collate "und-x-icu")
    || E'\n ' || lower(coalesce(original_text, '') collate "und-x-icu")
  ) collate "default") stored;

create unique index reviews_id_unique on reviews (id);
-- "Needs attention": new low ratings.
create index reviews_low on reviews (first_seen_at) where rating <= 2;

-- The rating of a task's place at the last successful run of a day. Written by the run; none when reviews are not stored.
create table place_ratings (
  task_id            uuid not null references tasks on delete cascade,
  day                date not null,                    -- of UTC; deleted after thirty days
  rating             numeric(2,1) not null,
  user_rating_count  integer not null,
  primary key (task_id, day)
);

create index place_ratings_by_day on place_ratings (day);

-- The history begins with the last run of each task.
insert into place_ratings (task_id, day, rating, user_rating_count)
select id, (last_run at time zone 'UTC')::date, (pulled_place ->> 'rating')::numeric, (pulled_place ->> 'user_rating_count')::integer
from tasks
where last_run > now() - interval '30 days'
  and pulled_place ->> 'rating' is not null and pulled_place ->> 'user_rating_count' is not null;
