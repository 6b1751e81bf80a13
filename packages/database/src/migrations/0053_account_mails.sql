-- A new email address of a console account is used once the link was opened that was sent to the address.
alter table links
  drop constraint links_kind_check,
  add constraint links_kind_check check (kind in ('invitation', 'password_reset', 'email_change')),
  -- `email` is the new address, `invited_by` the address of the person who asked for the change.
  add constraint links_email_change_has_account
    check (kind <> 'email_change' or (user_id is not null and invited_by is not null));

-- Two accounts may wait for the same new address: the first link that is opened gets it.
drop index links_once_for_a_person;
create unique index links_once_for_a_person on links (kind, lower(email)) where kind <> 'email_change';
create unique index links_one_email_change on links (user_id) where kind = 'email_change';

-- Mails that tell people about changes of their console accounts. Without a foreign key: a removal is told too.
create table account_notices (
  id             uuid primary key default gen_random_uuid(),
  mail_to        text not null,             -- address before or after the change
  account        text not null,             -- address of the account at that time
  changes        text[] not null,           -- what happened, as sentences without secrets
  changed_by     text not null,             -- address or name of the actor, as in the audit log
  address        text,                      -- network address of the actor; null: on the server
  changed_at     timestamptz(3) not null,
  mail_state     text not null default 'queued' check (mail_state in ('queued', 'sent', 'failed')),
  mail_attempts  integer not null default 0,
  mail_problem   text                       -- reason of the last failed attempt, as a sentence
);

create index account_notices_by_time on account_notices (changed_at);

-- An earlier release cannot replace a link on these indexes.
update schema_floor set migration = '0053_account_mails';
