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

-- The sealer inserts rows with their hashes.
create trigger audit_log_chain before insert on audit_log
for each row when (new.hash is null) execute function audit_log_chain();

-- Search. Indexes of expressions and columns leave the rows and their hashes as they are.
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
-- A rotation writes two rows of the audit log. The list leaves out the row of the new key and counts these rows by this
-- index. activity.queries.ts repeats the condition.
create index audit_log_of_new_keys on audit_log (at, seq) include (actor_id, tenant_id)
where action = 'api_keys.rotate' and outcome = 'done' and changes ? 'rotated_from';

-- Closed months of the audit log that are files in AUDIT_ARCHIVE (docs/operate/audit-archive.md). Their rows are deleted in the
-- transaction that inserts the row here. The chain goes on from `hash_after` of the newest month.
create table audit_archives (
  month        text primary key check (month ~ '^\d{4}-(0[1-9]|1[0-2])$'),  -- 2026-01, in UTC
  first_seq    bigint not null,
  last_seq     bigint not null check (last_seq >= first_seq),
  hash_before  bytea not null,       -- of the row before the first one
  hash_after   bytea not null,       -- of the last row
  file_sha256  bytea not null,
  archived_at  timestamptz(3) not null default now()
);

create trigger audit_archives_append_only before update or delete or truncate on audit_archives
for each statement execute function refuse_change();

-- Archived rows alone may be deleted.
create function refuse_deletion_of_audit_row() returns trigger
language plpgsql as $$
begin
  if (select max(seq) from deleted) > (select coalesce(max(last_seq), 0) from audit_archives) then
    raise exception 'audit_log is append-only' using errcode = 'insufficient_privilege';
  end if;
  return null;
end $$;

create trigger audit_log_append_only before update or truncate on audit_log
for each statement execute function refuse_change();
create trigger audit_log_deletes_archived after delete on audit_log
referencing old table as deleted
for each statement execute function refuse_deletion_of_audit_row();

-- Entries of the audit log wait here until a worker seals them, so that writers do not wait for each other. An entry is
-- written in the transaction of its change, and chained at once to the entry before in one of several writers' chains.
create table audit_unsealed (
  id           bigint not null,                -- in the order of insertion, and of sealing
  tail         integer not null,               -- the writers' chain
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
  request_id   text,
  prev_hash    bytea not null,                 -- of the entry before in the writers' chain
  hash         bytea not null                  -- audit_row_hash, with the id in place of the number of the row
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);  -- every row is deleted within seconds
create sequence audit_unsealed_ids;
-- Not unique: a forged row with an id to come would make changes fail.
create index audit_unsealed_by_id on audit_unsealed (id);

-- The end of each writers' chain. A writer locks a free one until its commit. 64 are open, because a writer
-- that finds all of them locked waits; a chain that breaks is closed, and its number is never used again.
create table audit_tails (
  tail       integer primary key,
  hash       bytea not null,                   -- of the newest entry
  is_closed  boolean not null default false
) with (fillfactor = 20);
-- The last sealed entry of each writers' chain. Apart from its end, so that writers do not wait for the sealer.
create table audit_sealed (
  tail  integer primary key,
  hash  bytea not null
);
insert into audit_tails (tail, hash) select n, decode(repeat('00', 32), 'hex') from generate_series(1, 64) as n;
insert into audit_sealed (tail, hash) select tail, hash from audit_tails;

create function audit_unsealed_chain() returns trigger
language plpgsql as $$
declare
  chain audit_tails;
begin
  loop
    -- The chain that this transaction has locked before counts as free.
    select * into chain from audit_tails where not is_closed order by tail limit 1 for update skip locked;
    exit when found;
    -- All are taken: wait for one of them.
    perform from audit_tails where tail = (
      select tail from audit_tails where not is_closed order by (tail + pg_backend_pid()) % 64, tail limit 1
    ) for update;
    if not found then
      raise exception 'audit_tails has no open chain';
    end if;
  end loop;
  -- Under the lock, so that ids rise along a chain.
  new.id := nextval('audit_unsealed_ids');
  new.tail := chain.tail;
  new.prev_hash := chain.hash;
  new.hash := audit_row_hash(
    new.prev_hash, new.id, new.at, new.actor_id, new.actor_email, new.action, new.outcome, new.reason,
    new.target_type, new.target_id, new.target_name, new.tenant_id, new.changes, new.address, new.request_id
  );
  update audit_tails set hash = new.hash where tail = new.tail;
  return new;
end $$;

create trigger audit_unsealed_chain before insert on audit_unsealed for each row execute function audit_unsealed_chain();

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
