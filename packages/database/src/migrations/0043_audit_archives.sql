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

drop trigger audit_log_append_only on audit_log;
create trigger audit_log_append_only before update or truncate on audit_log
for each statement execute function refuse_change();
create trigger audit_log_deletes_archived after delete on audit_log
referencing old table as deleted
for each statement execute function refuse_deletion_of_audit_row();
