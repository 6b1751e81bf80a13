-- Single-use links that are sent by mail: invitations to the console, and password resets. The use of a link deletes its
-- row. The SHA-256 of the token is stored, so the table opens no account.
create table links (
  id             uuid primary key default gen_random_uuid(),
  kind           text not null check (kind in ('invitation', 'password_reset')),
  email          text collate "und-x-icu" not null check (char_length(email) <= 254),
  role           text check (role in ('super_admin', 'support', 'auditor')),  -- of the invited person
  invited_by     text,                      -- address of the inviting admin at that time
  user_id        uuid references users on delete cascade,  -- of a reset; null until the worker has found the account
  token_hash     bytea,                     -- null until the first mail; each attempt to send has a new token
  created_at     timestamptz(3) not null,
  expires_at     timestamptz(3) not null,   -- counted from the last attempt to send
  mail_state     text check (mail_state in ('queued', 'sent', 'failed')),     -- null: the link was copied, not sent
  mail_attempts  integer not null default 0,
  mail_problem   text,                      -- reason of the last failed attempt, as a sentence
  constraint links_token_hash_unique unique (token_hash),
  constraint links_invitation_has_role check ((kind = 'invitation') = (role is not null and invited_by is not null))
);

-- A newer link of the same kind replaces the older link of the person.
create unique index links_once_for_a_person on links (kind, lower(email));
create index links_by_user on links (user_id);
create index links_by_expiry on links (expires_at);
