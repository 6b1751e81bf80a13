-- A rotation writes two rows of the audit log. The list leaves out the row of the new key and counts these rows by this
-- index. activity.queries.ts repeats the condition.
create index audit_log_of_new_keys on audit_log (at, seq) include (actor_id, tenant_id)
where action = 'api_keys.rotate' and outcome = 'done' and changes ? 'rotated_from';
