-- Paused and failing tasks are few among many: in each of the other orders of the list too they have an index of their
-- own, which holds them alone. Without it a page of failing ones by tenant read 10,000 of 100,000 tasks.
create index tasks_paused_by_tenant_name on tasks (tenant_name, id) where is_paused;
create index tasks_paused_by_next_run on tasks (next_run, id) where is_paused;
create index tasks_failing_by_tenant_name on tasks (tenant_name, id) where last_outcome = 'failed';
create index tasks_failing_by_next_run on tasks (next_run, id) where last_outcome = 'failed';
