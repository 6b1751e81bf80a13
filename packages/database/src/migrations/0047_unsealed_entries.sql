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

-- The sealer inserts rows with their hashes. Rows of releases without it have none and are chained as before.
create or replace trigger audit_log_chain before insert on audit_log
for each row when (new.hash is null) execute function audit_log_chain();

-- All entries. Unsealed ones have numbers above all others, in the order in which they will be sealed.
create view audit_entries as
select seq, at, actor_id, actor_email, action, outcome, reason, target_type, target_id, target_name, tenant_id, changes,
  address, request_id
from audit_log
union all
select id + 4503599627370496, at, actor_id, actor_email, action, outcome, reason, target_type, target_id, target_name,
  tenant_id, changes, address, request_id
from audit_unsealed;
