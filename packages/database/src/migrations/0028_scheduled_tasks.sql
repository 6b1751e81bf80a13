-- The forecast of calls to Google counts the tasks that the schedule runs.
create index tasks_scheduled_by_frequency on tasks (frequency) where not is_paused and tenant_status = 'active';
