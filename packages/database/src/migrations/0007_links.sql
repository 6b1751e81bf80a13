-- Single-use links that are sent by mail: invitations to the console, invitations of users to the portals of their tenants,
-- password resets, and changes of an address. Using a link deletes its row. Only the SHA-256 of the token is stored, so nobody can open an account with this table.
create table links (
  id             uuid primary key default gen_random_uuid(),
  kind           text not null check (kind in ('invitation', 'user_invitation', 'password_reset', 'email_change')),
  email          text collate "und-x-icu" not null check (char_length(email) <= 254),  -- of an email change: the new address
  folded_email   text not null,             -- of `email`, as in users
  role           text check (role in ('super_admin', 'support', 'auditor')),  -- of the invited person
  -- Address of the person who invites or asks for the change, at that time. Null: a password reset or a user's invitation.
  invited_by     text,
  -- The account that sent the invitation, which ends when the account is no longer an active super admin.
  invited_by_id  uuid references users on delete cascade,
  user_id        uuid references users on delete cascade,  -- of a reset; null until the worker has found the account
  portal_url     text,                      -- the portal that a user's invitation opens; null: the console
  token_hash     bytea,                     -- null until the first mail; each attempt to send has a new token
  created_at     timestamptz(3) not null,
  expires_at     timestamptz(3) not null,   -- counted from the last attempt to send
  mail_state     text check (mail_state in ('queued', 'sent', 'failed')),     -- null: the link was copied, not sent
  mail_attempts  integer not null default 0,
  mail_problem   text,                      -- reason of the last failed attempt, as a sentence
  constraint links_token_hash_unique unique (token_hash),
  constraint links_folded_email_of_email check (folded_email = lower(email) or email ~ '[^ -~]|"'),
  constraint links_invitation_has_role check (
    (kind = 'invitation') = (role is not null and invited_by is not null and invited_by_id is not null)
  ),
  constraint links_email_change_has_account
    check (kind <> 'email_change' or (user_id is not null and invited_by is not null)),
  constraint links_user_invitation_has_user check (
    case when kind = 'user_invitation' then user_id is not null and portal_url is not null else portal_url is null end
  )
);

-- A newer invitation replaces the older one to the same person. Several password reset links may be valid at once, so that a
-- stranger who asks for another does not end the owner's link; using one ends all of them. Two accounts may wait for the same
-- new address: the first one to open its link gets it.
create unique index links_once_for_a_person on links (folded_email) where kind = 'invitation';
create unique index links_one_user_invitation on links (user_id) where kind = 'user_invitation';
create unique index links_one_email_change on links (user_id) where kind = 'email_change';
create index links_by_address on links (folded_email);
create index links_by_user on links (user_id);
create index links_by_inviter on links (invited_by_id);
create index links_by_expiry on links (expires_at);

-- Mails that tell people about changes to their console accounts. No foreign key, because a removal is reported too.
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
