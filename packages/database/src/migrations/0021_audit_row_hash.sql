-- The hash of an audit row from its columns instead of the whole row: PostgreSQL 15.20 and 17.12 refuse to alter a table
-- while a function takes its row type. Equal rows have the hashes that they had before.

create function audit_row_hash(
  prev_hash bytea, seq bigint, at timestamptz, actor_id uuid, actor_email text, action text, outcome text, reason text,
  target_type text, target_id uuid, target_name text, changes jsonb, address text, request_id text, target_tenant_id uuid
) returns bytea
language sql immutable parallel safe
return sha256(prev_hash || convert_to((jsonb_build_array(
  seq, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS'), actor_id, actor_email, action, outcome, reason,
  target_type, target_id, target_name, changes, address, request_id
) || case when target_tenant_id is null then '[]' else jsonb_build_array(target_tenant_id) end)::text, 'UTF8'));

create or replace function audit_log_chain() returns trigger
language plpgsql as $$
declare
  head audit_head;
begin
  select * into strict head from audit_head for update;
  new.seq := head.seq + 1;
  new.prev_hash := head.hash;
  new.hash := audit_row_hash(
    new.prev_hash, new.seq, new.at, new.actor_id, new.actor_email, new.action, new.outcome, new.reason,
    new.target_type, new.target_id, new.target_name, new.changes, new.address, new.request_id, new.target_tenant_id
  );
  update audit_head set seq = new.seq, hash = new.hash;
  return new;
end $$;

drop function audit_row_hash(audit_log);
