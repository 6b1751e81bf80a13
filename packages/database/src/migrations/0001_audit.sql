-- The audit log: every change, sign-in and refusal, in the same transaction as what it speaks of.
-- Rows are chained by hash and are never updated or deleted; they outlive what they speak of (no foreign keys).

create table audit_log (
  seq          bigint primary key,             -- 1, 2, 3 … without a gap, in the order of commit
  at           timestamptz(3) not null,
  actor_id     uuid,                           -- the admin; null when nobody is signed in
  actor_email  text,                           -- as it was then; "command line" for `npm run admin`
  action       text not null,                  -- operation id of the contract: tenants.update, auth.login …
  outcome      text not null check (outcome in ('done', 'refused')),
  reason       text,                           -- why it was refused
  target_type  text,                           -- tenant, admin …
  target_id    uuid,
  target_name  text,
  changes      jsonb not null default '{}',    -- {"field": {"before": …, "after": …}}, never a secret
  address      text,
  request_id   text,
  prev_hash    bytea not null,
  hash         bytea not null
);

-- The history of one thing, newest first.
create index audit_log_target on audit_log (target_id, seq desc) where target_id is not null;

-- The end of the chain. Its row lock puts writers in line; it also betrays rows cut off the end of the log.
create table audit_head (
  is_only  boolean primary key default true check (is_only),
  seq      bigint not null,
  hash     bytea not null
);
insert into audit_head (seq, hash) values (0, '\x0000000000000000000000000000000000000000000000000000000000000000');

-- SHA-256 over the previous hash and the row as JSON text. jsonb orders keys and normalises numbers, so equal rows
-- have equal text, whatever wrote them; the time is written out so that no session setting can change it.
create function audit_row_hash(entry audit_log) returns bytea
language sql immutable parallel safe
return sha256(entry.prev_hash || convert_to(jsonb_build_array(
  entry.seq, to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS'), entry.actor_id, entry.actor_email,
  entry.action, entry.outcome, entry.reason, entry.target_type, entry.target_id, entry.target_name, entry.changes,
  entry.address, entry.request_id
)::text, 'UTF8'));

create function audit_log_chain() returns trigger
language plpgsql as $$
declare
  head audit_head;
begin
  select * into strict head from audit_head for update;
  new.seq := head.seq + 1;
  new.prev_hash := head.hash;
  new.hash := audit_row_hash(new);
  update audit_head set seq = new.seq, hash = new.hash;
  return new;
end $$;

create trigger audit_log_chain before insert on audit_log
for each row execute function audit_log_chain();

create function audit_log_refuse_change() returns trigger
language plpgsql as $$
begin
  raise exception 'audit_log is append-only' using errcode = 'insufficient_privilege';
end $$;

create trigger audit_log_append_only before update or delete or truncate on audit_log
for each statement execute function audit_log_refuse_change();
