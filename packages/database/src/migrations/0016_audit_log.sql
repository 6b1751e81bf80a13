-- The audit log: one row per change, sign-in to the console and refusal. Append-only, chained by hash.
-- Rows have no foreign keys, because they outlive their targets.

create table audit_log (
  seq          bigint primary key,             -- 1, 2, 3 … without gaps, in the order of sealing, which never changes
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
  prev_hash    bytea not null,                 -- hash of the row before; 32 zero bytes in the first row
  hash         bytea not null                  -- SHA-256 of prev_hash and the row as text (audit-row.ts)
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

-- The end of the chain. Its row lock elects the sealer. Its hash reveals rows cut off the end of the log.
create table audit_head (
  is_only  boolean primary key default true check (is_only),
  seq      bigint not null,
  hash     bytea not null
);
insert into audit_head (seq, hash) values (0, decode(repeat('00', 32), 'hex'));

-- Search. Indexes of expressions and columns leave the rows and their hashes as they are.
-- activity.queries.ts repeats the expression.
create index audit_log_search on audit_log using gin ((
  (
    ' ' || lower(coalesce(target_name, '') collate "und-x-icu")
    || E'\n ' || lower(coalesce(actor_email, '') collate "und-x-icu")
    || E'\n ' || lower(coalesce(reason, '') collate "und-x-icu")
  ) collate "default"
) gin_trgm_ops);
-- For a search by the beginning of a request id or an address.
create index audit_log_by_request_id on audit_log (request_id text_pattern_ops) where request_id is not null;
create index audit_log_by_address on audit_log (address text_pattern_ops) where address is not null;

-- Months of the audit log whose rows were deleted after every log sink had them (docs/operate/log-shipping.md), in the
-- transaction that inserts the row here. The chain continues from `hash_after` of the newest month.
create table audit_deleted_months (
  month        text primary key check (month ~ '^\d{4}-(0[1-9]|1[0-2])$'),  -- 2026-01, in UTC
  first_seq    bigint not null,
  last_seq     bigint not null check (last_seq >= first_seq),
  hash_before  bytea not null,       -- of the row before the first one
  hash_after   bytea not null,       -- of the last row
  deleted_at   timestamptz(3) not null default now()
);

create trigger audit_deleted_months_append_only before update or delete or truncate on audit_deleted_months
for each statement execute function refuse_change();

-- Only rows of a month in that table may be deleted.
create function refuse_deletion_of_audit_row() returns trigger
language plpgsql as $$
begin
  if (select max(seq) from deleted) > (select coalesce(max(last_seq), 0) from audit_deleted_months) then
    raise exception 'audit_log is append-only' using errcode = 'insufficient_privilege';
  end if;
  return null;
end $$;

create trigger audit_log_append_only before update or truncate on audit_log
for each statement execute function refuse_change();
create trigger audit_log_deletes_months after delete on audit_log
referencing old table as deleted
for each statement execute function refuse_deletion_of_audit_row();

-- Entries of the audit log wait here until a worker seals them. An entry is inserted in the transaction of its change,
-- and nothing in this table makes writers wait for each other. The sealer moves committed entries to the end of
-- `audit_log` in the order of their ids. An entry that commits after later ones were sealed comes after them.
create table audit_unsealed (
  id           bigint generated always as identity primary key,
  at           timestamptz(3) not null,        -- this and the following columns as in audit_log
  actor_id     uuid,
  actor_email  text,
  action       text not null,
  outcome      text not null check (outcome in ('done', 'refused')),
  reason       text,
  target_type  text,
  target_id    uuid,
  target_name  text,
  tenant_id    uuid,
  changes      jsonb not null default '{}',
  address      text,
  request_id   text
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);  -- every row is deleted within seconds

create trigger audit_unsealed_unchanged before update or truncate on audit_unsealed
for each statement execute function refuse_change();

-- All entries. Unsealed ones have numbers above all others, in the order in which they will be sealed.
create view audit_entries as
select seq, at, actor_id, actor_email, action, outcome, reason, target_type, target_id, target_name, tenant_id, changes,
  address, request_id
from audit_log
union all
select id + 4503599627370496, at, actor_id, actor_email, action, outcome, reason, target_type, target_id, target_name,
  tenant_id, changes, address, request_id
from audit_unsealed;
