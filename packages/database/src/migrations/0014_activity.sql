-- The audit log as a list: which tenant a row is about, and an index for each way to filter it.

-- PostgreSQL 15.20 and 17.12 refuse to alter a table while a function takes its row type. Created again at the end.
drop function audit_row_hash(audit_log);

-- Whose user, key or task it was. Null where there is no tenant, and in rows from before this column.
alter table audit_log add column target_tenant_id uuid;

-- The tenant that a row is about. That of a tenant's own rows was always known.
alter table audit_log add column tenant_id uuid generated always as (
  coalesce(target_tenant_id, case when target_type = 'tenant' then target_id end)
) stored;

-- What the list says of a row's changes: the names of the fields, and what a switch was set to.
create function audit_changed(changes jsonb) returns jsonb
language sql immutable parallel safe
return coalesce(
  (
    select jsonb_object_agg(key, case when jsonb_typeof(value -> 'after') = 'boolean' then value -> 'after' end)
    from jsonb_each(changes)
  ),
  '{}'
);

-- Each ends in the order of the list, so that a page and the count of a filter are read off one index, with dates too.
-- Pairs have their own: for two large filters the planner would intersect the bitmaps of both, 13 to 26 ms at a million
-- rows. Refusals are few, and so are the rows of one target: whatever else is asked of those is looked up in them.
create index audit_log_by_time on audit_log (at, seq);
create index audit_log_by_actor on audit_log (actor_id, at, seq) where actor_id is not null;
create index audit_log_by_email on audit_log (lower(actor_email), at, seq) where actor_id is null;
create index audit_log_by_action on audit_log (action, at, seq);
create index audit_log_by_target_type on audit_log (target_type, at, seq) where target_type is not null;
create index audit_log_by_target on audit_log (target_id, at, seq) where target_id is not null;
create index audit_log_by_tenant on audit_log (tenant_id, at, seq) where tenant_id is not null;
create index audit_log_by_action_and_outcome on audit_log (action, outcome, at, seq);
create index audit_log_by_actor_and_action on audit_log (actor_id, action, at, seq) where actor_id is not null;
create index audit_log_by_actor_and_type on audit_log (actor_id, target_type, at, seq) where actor_id is not null;
create index audit_log_by_tenant_and_action on audit_log (tenant_id, action, at, seq) where tenant_id is not null;
create index audit_log_by_tenant_and_actor on audit_log (tenant_id, actor_id, at, seq) where tenant_id is not null;
create index audit_log_by_tenant_and_type on audit_log (tenant_id, target_type, at, seq) where tenant_id is not null;
create index audit_log_refused on audit_log (at, seq) where outcome = 'refused';
create index audit_log_refused_by_actor on audit_log (actor_id, at, seq) where outcome = 'refused';
create index audit_log_refused_by_actor_and_action on audit_log (actor_id, action, at, seq) where outcome = 'refused';
create index audit_log_refused_by_tenant on audit_log (tenant_id, at, seq) where outcome = 'refused';
create index audit_log_refused_by_type on audit_log (target_type, at, seq) where outcome = 'refused';
drop index audit_log_target;

-- Rows are only ever added: without this, counting would look into a fifth of the table until autovacuum comes by.
alter table audit_log set (autovacuum_vacuum_insert_scale_factor = 0.02);

-- As before where there is no tenant, so that old rows keep their hashes; with one, it is part of what is hashed.
create function audit_row_hash(entry audit_log) returns bytea
language sql immutable parallel safe
return sha256(entry.prev_hash || convert_to((jsonb_build_array(
  entry.seq, to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS'), entry.actor_id, entry.actor_email,
  entry.action, entry.outcome, entry.reason, entry.target_type, entry.target_id, entry.target_name, entry.changes,
  entry.address, entry.request_id
) || case when entry.target_tenant_id is null then '[]' else jsonb_build_array(entry.target_tenant_id) end)::text, 'UTF8'));
