-- Email addresses for comparison: in lower case, with the domain in ASCII, so that an internationalized domain names one account
-- however it is typed. The servers write them, because the database cannot convert domains. Addresses before this migration are
-- ASCII.

alter table users add column folded_email text;  -- of `email`; unique
update users set folded_email = lower(email);
alter table users
  alter column folded_email set not null,
  -- A change of the address cannot forget the comparison. Domains beyond ASCII and quotes are converted by the servers.
  add constraint users_folded_email_of_email check (folded_email = lower(email) or email ~ '[^ -~]|"');
drop index users_email_unique;
create unique index users_email_unique on users (folded_email);

-- A search finds an internationalized domain in both spellings.
alter table users drop column search_text;
alter table users add column search_text text not null generated always as (
  ' ' || lower(email) || case when email ~ '[^ -~]' then E'\n ' || folded_email else '' end
) stored;
create index users_search on users using gin (search_text gin_trgm_ops);

alter table links add column folded_email text;  -- of `email`
update links set folded_email = lower(email);
alter table links
  alter column folded_email set not null,
  add constraint links_folded_email_of_email check (folded_email = lower(email) or email ~ '[^ -~]|"');
drop index links_once_for_a_person;
create unique index links_once_for_a_person on links (folded_email) where kind = 'invitation';
drop index links_by_address;
create index links_by_address on links (folded_email);

-- Deleted users, who can be restored.

drop index deleted_records_by_email;
update deleted_records
set record = record || jsonb_build_object('folded_email', lower((record ->> 'email') collate "und-x-icu"))
where table_name = 'users';
create index deleted_records_by_email on deleted_records ((record ->> 'folded_email')) where table_name = 'users';

update deletions set records = (
  select jsonb_agg(
    case when part ->> 'table' = 'users'
      then jsonb_set(part, '{rows}', (
        select jsonb_agg(deleted || jsonb_build_object('folded_email', lower((deleted ->> 'email') collate "und-x-icu")))
        from jsonb_array_elements(part -> 'rows') as deleted
      ))
      else part
    end order by place
  )
  from jsonb_array_elements(records) with ordinality as parts (part, place)
)
where table_name = 'users';

drop index deletions_of_people;
create index deletions_of_people on deletions ((records #>> '{0,rows,0,folded_email}'))
where table_name = 'users' and tenant_id is null;

create or replace function refuse_email_of_removed() returns trigger
language plpgsql as $$
begin
  if exists (
    select from added
    join deletions on table_name = 'users' and deletions.tenant_id is null
      and records #>> '{0,rows,0,folded_email}' = added.folded_email
    where added.tenant_id is not null and deleted_at > now() - interval '10 minutes'
  ) then
    raise unique_violation using constraint = 'users_email_unique_with_removed';
  end if;
  return null;
end $$;

create or replace function refuse_email_of_deleted() returns trigger
language plpgsql as $$
begin
  if exists (
    select from added
    cross join lateral (
      -- For each user by the index: a join would read all records.
      select tenant_id from deleted_records
      where table_name = 'users' and record ->> 'folded_email' = added.folded_email offset 0
    ) as taken
    join deleted_tenants on deleted_tenants.id = taken.tenant_id and purged_at is null
  ) then
    raise unique_violation using constraint = 'users_email_unique_with_deleted';
  end if;
  return null;
end $$;

-- Older releases write no folded addresses.
update schema_floor set migration = '0061_folded_emails';
