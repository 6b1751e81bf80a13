-- No access outlives its person.

-- An invitation ends with its inviter: the account that sent the link, while it is an active super admin.
alter table links add column invited_by_id uuid references users on delete cascade;  -- null: a password reset
update links set invited_by_id = users.id from users where lower(users.email) = lower(links.invited_by);
delete from links where kind = 'invitation'
  and not exists (select from users where users.id = invited_by_id and role = 'super_admin' and is_active);
alter table links
  drop constraint links_invitation_has_role,
  add constraint links_invitation_has_role check (
    (kind = 'invitation') = (role is not null and invited_by is not null and invited_by_id is not null)
  );
create index links_by_inviter on links (invited_by_id);

-- A newer invitation replaces the older one to the same person. Links of password resets live side by side, so that a stranger who
-- asks for another one does not end the owner's link; the use of one ends all.
drop index links_once_for_a_person;
create unique index links_once_for_a_person on links (lower(email)) where kind = 'invitation';
create index links_by_address on links (lower(email));

-- A token of a maker who is no longer an active super admin must not come back with the role.
update machine_tokens set revoked_at = now()
where revoked_at is null
  and not exists (select from users where users.id = created_by_id and role = 'super_admin' and is_active);

-- False for accounts that single sign-on made, until a super admin allows it: no password, and no passkey in place of one.
alter table users add column may_use_password boolean not null default true;
update users set may_use_password = false
where password_hash = 'none' and exists (select from sso_identities where user_id = users.id);
alter table users add constraint users_password_is_allowed check (may_use_password or password_hash = 'none');

-- A user of a tenant does not get the address of a person whose removal from the team can still be undone.
create index deletions_of_people on deletions (lower(records #>> '{0,rows,0,email}'))
where table_name = 'users' and tenant_id is null;

create function refuse_email_of_removed() returns trigger
language plpgsql as $$
begin
  if exists (
    select from added
    join deletions on table_name = 'users' and deletions.tenant_id is null
      and lower(records #>> '{0,rows,0,email}') = lower(added.email)
    where added.tenant_id is not null and deleted_at > now() - interval '10 minutes'
  ) then
    raise unique_violation using constraint = 'users_email_unique_with_removed';
  end if;
  return null;
end $$;

create trigger users_email_not_of_removed_on_insert after insert on users
referencing new table as added for each statement
when (current_setting('switchboard.is_restoring', true) is distinct from 'on')
execute function refuse_email_of_removed();
create trigger users_email_not_of_removed_on_update after update on users
referencing new table as added for each statement execute function refuse_email_of_removed();

update schema_floor set migration = '0055_access_of_people';
