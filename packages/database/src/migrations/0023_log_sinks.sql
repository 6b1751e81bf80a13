-- Log sinks: places outside of the database that get every sealed entry of the audit log, in its order. A worker ships to
-- each one, and moves its position after the sink has confirmed the entries.
create table log_sinks (
  id                     uuid primary key default gen_random_uuid(),
  kind                   text not null check (kind in ('otlp', 'syslog', 'file')),
  name                   text not null check (char_length(name) between 1 and 100),
  address                text,                          -- otlp: a URL; syslog: host:port; file: null
  certificate_authority  text,                          -- PEM; null: the well-known authorities
  header_names           text[] not null default '{}',  -- otlp
  -- otlp: the headers as JSON. syslog: a client certificate and its key. file: the private key that signs (PKCS #8).
  -- Encrypted with SECRETS_KEY, as authenticator apps are.
  secret                 bytea,
  public_key             text,                          -- file: verifies the signatures, PEM
  is_on                  boolean not null default true,
  first_seq              bigint not null,               -- the first entry that the sink gets
  position               bigint not null,               -- the last entry that the sink has
  position_hash          bytea not null,                -- its hash: only rows that continue the chain are shipped
  last_sent_at           timestamptz(3),
  attempts               integer not null default 0,    -- failed ones since the last success
  failing_since          timestamptz(3),                -- the first of these
  problem                text,                          -- of the last of these, as a sentence
  next_attempt_at        timestamptz(3),                -- null: at once
  end_sent_at            timestamptz(3),                -- the end of the chain is sent once a day
  test_requested_at      timestamptz(3),
  tested_at              timestamptz(3),
  test_problem           text,
  created_at             timestamptz(3) not null,
  version                integer not null default 1,    -- grows with every change by a person
  check ((address is null) = (kind = 'file')),
  check ((problem is null) = (failing_since is null))
);

create unique index log_sinks_name_unique on log_sinks (lower(name));
-- All files of a folder are one chain.
create unique index log_sinks_one_of_files on log_sinks (kind) where kind = 'file';
