-- Search of the audit log. Indexes of expressions and columns leave the rows and their hashes as they are.
-- activity.queries.ts repeats the expression.
create index audit_log_search on audit_log using gin ((
  (
    ' ' || lower(coalesce(target_name, '') collate "und-x-icu")
    || E'\n ' || lower(coalesce(actor_email, '') collate "und-x-icu")
    || E'\n ' || lower(coalesce(reason, '') collate "und-x-icu")
  ) collate "default"
) gin_trgm_ops);
-- Found by their beginning.
create index audit_log_by_request_id on audit_log (request_id text_pattern_ops) where request_id is not null;
create index audit_log_by_address on audit_log (address text_pattern_ops) where address is not null;
