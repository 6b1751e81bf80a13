-- The audit log: one row per change, sign-in and refusal, written in the same transaction. Append-only, chained by hash.
-- Rows have no foreign keys, because they outlive their targets.

create table audit_log (
  seq          bigint primary key,             -- 1, 2, 3 … without gaps, in the order of commits
  at           timestamptz(3) not null,
  actor_id     uuid,                           -- the user; null without a session
  actor_email  text,                           -- at that time; "command line" for `npm run admin`
  action       text not null,                  -- operation id of the contract: tenants.update, auth.login …
  outcome      text not null check (outcome in ('done', 'refused')),
  reason       text,                           -- of a refusal
  target_type  text,                           -- tenant, admin (a user), api_key …
  target_id    uuid,
  target_name  text,
  tenant_id    uuid,                           -- the tenant of the target; of a tenant, its own id
  changes      jsonb not null default '{}',    -- {"field": {"before": …, "after": …}}, without secrets
  address      text,
  request_id   text,
  prev_hash    bytea not null,
  hash         bytea not null
) with (autovacuum_vacuum_insert_scale_factor = 0.02);  -- insert-only: keeps index-only scans cheap between vacuums

-- One index per filter, each in the order of the list.
create index audit_log_by_time on audit_log (at, seq);
create index audit_log_by_actor on audit_log (actor_id, at, seq) where actor_id is not null;
create index audit_log_by_email on audit_log (lower(actor_email), at, seq) where actor_id is null;
create index audit_log_by_action on audit_log (action, at, seq);
create index audit_log_by_target_type on audit_log (target_type, at, seq) where target_type is not null;
create index audit_log_by_target on audit_log (target_id, at, seq) where target_id is not null;
create index audit_log_by_tenant on audit_log (tenant_id, at, seq) where tenant_id is not null;
create index audit_log_refused on audit_log (at, seq) where outcome = 'refused';

-- The end of the chain. Its row lock serialises writers. Its hash reveals rows cut off the end of the log.
create table audit_head (
  is_only  boolean primary key default true check (is_only),
  seq      bigint not null,
  hash     bytea not null
);
insert into audit_head (seq, hash) values (0, decode(repeat('00', 32), 'hex'));

-- SHA-256 over the previous hash and the row as JSON text. jsonb orders keys and normalises numbers, so equal rows have
-- equal text; the explicit time format is independent of session settings. Takes columns instead of the row type:
-- PostgreSQL 15.20 and 17.12 refuse to alter a table whose row type a function uses.
create function audit_row_hash(
  prev_hash bytea, seq bigint, at timestamptz, actor_id uuid, actor_email text, action text, outcome text, reason text,
  target_type text, target_id uuid, target_name text, tenant_id uuid, changes jsonb, address text, request_id text
) returns bytea
language sql immutable parallel safe
return sha256(prev_hash || convert_to(jsonb_build_array(
  seq, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS'), actor_id, actor_email, action, outcome, reason,
  target_type, target_id, target_name, tenant_id, changes, address, request_id
)::text, 'UTF8'));

create function audit_log_chain() returns trigger
language plpgsql as $$
declare
  head audit_head;
begin
  select * into strict head from audit_head for update;
  new.seq := head.seq + 1;
  new.prev_hash := head.hash;
  new.hash := audit_row_hash(
    new.prev_hash, new.seq, new.at, new.actor_id, new.actor_email, new.action, new.outcome, new.reason,
    new.target_type, new.target_id, new.target_name, new.tenant_id, new.changes, new.address, new.request_id
  );
  update audit_head set seq = new.seq, hash = new.hash;
  return new;
end $$;

create trigger audit_log_chain before insert on audit_log for each row execute function audit_log_chain();

create trigger audit_log_append_only before update or delete or truncate on audit_log
for each statement execute function refuse_change();
