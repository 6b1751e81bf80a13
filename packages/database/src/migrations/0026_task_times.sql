-- A task may run at a time of day, as the clocks of a time zone show it. Both null: at the time of its creation, in UTC.
alter table tasks
  add column run_time text check (run_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  add column time_zone text,  -- name in the IANA database
  add constraint tasks_time_has_zone check ((run_time is null) = (time_zone is null));
