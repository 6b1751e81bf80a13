-- Reviews of a task's place. The reviews of the last pull have last_seen_at = tasks.last_run.
create table reviews (
  task_id           uuid not null references tasks on delete cascade,
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
  primary key (task_id, name)
);

create index reviews_by_last_seen on reviews (last_seen_at);
