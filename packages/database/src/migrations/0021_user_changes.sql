-- Changes of users, and passwords that an admin has set.
alter table users
  add column version integer not null default 1,  -- optimistic locking: grows with role, tenant, email address and status
  add column must_change_password boolean not null default false;  -- true: an admin has set the password

-- Sort by the last sign-in. Users who never signed in sort as if they had signed in before all others.
create index users_by_last_sign_in on users ((coalesce(last_sign_in_at, '1970-01-01T00:00:00Z'::timestamptz)), id);
