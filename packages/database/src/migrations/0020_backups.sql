-- Backups and their verifications, complete and failed. A backup contains the rows about earlier ones, not its own row.
create table backups (
  id         bigint generated always as identity primary key,
  kind       text not null check (kind in ('backup', 'verification')),
  made_by    text not null check (made_by in ('server', 'timer', 'hand')),
  at         timestamptz(3) not null default now(),  -- the end
  file       text,                    -- path on the machine that made it; null: standard output
  bytes      bigint,
  audit_seq  bigint,                  -- last row of the audit log in the backup
  problem    text,                    -- null: it succeeded
  check (problem is not null or (bytes is not null and audit_seq is not null))
);
