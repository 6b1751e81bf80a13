-- A tenant has each schedule once for a place: every run of a second task would cost the same calls to Google again.
-- Of the tasks that are duplicates already, the oldest keeps the place. The others are marked, stay as they are, and are
-- left out of the index, so that no upgrade fails or deletes a task.

-- Until the end of the transaction, so that no duplicate is added in between.
lock table tasks in share row exclusive mode;

alter table tasks add column is_old_duplicate boolean not null default false;

update tasks set is_old_duplicate = true
from (
  select id, row_number() over (
    partition by tenant_id, schedule_name, extra_data ->> 'place_id' order by created_at, id
  ) as place
  from tasks
) as numbered
where numbered.id = tasks.id and numbered.place > 1;

create unique index tasks_once_for_a_place on tasks (tenant_id, schedule_name, (extra_data ->> 'place_id'))
where not is_old_duplicate;
