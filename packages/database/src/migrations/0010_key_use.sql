-- The last check of a key is kept beside its counts: one narrow row is written instead of two, and the record of the
-- key, with its indexes and triggers, stays as it is while the key is used.

alter table api_key_outcomes
  add column last_at timestamptz(3),                  -- last check of the day that ended so, at most two seconds late
  set (fillfactor = 70);                              -- written all the time: room for the next version on the same page

update api_key_outcomes set last_at = day::timestamp at time zone 'UTC';
insert into api_key_outcomes (api_key_id, day, outcome, count, last_at)
select id, (last_used_at at time zone 'UTC')::date, 'valid', 0, last_used_at from api_keys where last_used_at is not null
on conflict (api_key_id, day, outcome) do update set last_at = excluded.last_at;

alter table api_key_outcomes alter column last_at set not null;
alter table api_keys drop column last_used_at;
