-- The state of a task depends on the status of its tenant: a copy, so that an index finds and counts each state.
alter table tasks add column tenant_status text not null default 'active'
  check (tenant_status in ('active', 'inactive'));  -- copied by triggers

update tasks set tenant_status = tenants.status from tenants where tenants.id = tenant_id and status <> 'active';

create function copy_tenant_status() returns trigger
language plpgsql as $$
begin
  -- Without a tenant the foreign key fails later.
  new.tenant_status := coalesce((select status from tenants where id = new.tenant_id), 'active');
  return new;
end $$;

create trigger tasks_of_tenant_on_insert before insert on tasks for each row execute function copy_tenant_status();

create function copy_status_to_tasks() returns trigger
language plpgsql as $$
begin
  update tasks set tenant_status = new.status where tenant_id = new.id;
  return null;
end $$;

create trigger tenants_status_in_tasks after update on tenants for each row
when (old.status <> new.status) execute function copy_status_to_tasks();

-- One index per state and sort order. Running, retrying and late tasks are found by their runs and by `next_run`.
drop index tasks_active, tasks_paused, tasks_paused_by_tenant_name, tasks_paused_by_next_run,
  tasks_failing, tasks_failing_by_tenant_name, tasks_failing_by_next_run;
create index tasks_on_schedule on tasks (created_at, id) include (next_run)
where not is_paused and tenant_status = 'active' and last_outcome is distinct from 'failed';
create index tasks_paused on tasks (created_at, id) where is_paused and tenant_status = 'active';
create index tasks_paused_by_tenant_name on tasks (tenant_name, id) where is_paused and tenant_status = 'active';
create index tasks_paused_by_next_run on tasks (next_run, id) where is_paused and tenant_status = 'active';
create index tasks_failing on tasks (created_at, id) include (next_run)
where not is_paused and tenant_status = 'active' and last_outcome = 'failed';
create index tasks_failing_by_tenant_name on tasks (tenant_name, id) include (next_run)
where not is_paused and tenant_status = 'active' and last_outcome = 'failed';
create index tasks_failing_by_next_run on tasks (next_run, id)
where not is_paused and tenant_status = 'active' and last_outcome = 'failed';
create index tasks_of_inactive_tenants on tasks (created_at, id) where tenant_status = 'inactive';
create index tasks_of_inactive_tenants_by_tenant_name on tasks (tenant_name, id) where tenant_status = 'inactive';
create index tasks_of_inactive_tenants_by_next_run on tasks (next_run, id) where tenant_status = 'inactive';
