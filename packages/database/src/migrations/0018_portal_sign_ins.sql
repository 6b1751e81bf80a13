-- Sign-ins to the portals of tenants, successful and refused. They are not in the audit log, because they change nothing and a
-- portal may have many a second. A worker deletes them after 90 days, or when their user or tenant can no longer be
-- restored. No foreign keys: with them, each sign-in would lock its tenant, and a deletion would move every sign-in.

create table portal_sign_ins (
  id          bigint generated always as identity primary key,
  tenant_id   uuid not null,
  user_id     uuid,                       -- null: no active user of the tenant has the address
  email       text,                       -- of the user, or as typed; null for a text that is not an address
  at          timestamptz(3) not null,
  outcome     text not null check (outcome in ('done', 'refused')),
  reason      text,                       -- of a refusal
  address     text,                       -- network address of the person; a network where the row counts refusals
  request_id  text
);

create index portal_sign_ins_by_time on portal_sign_ins (at, id);
create index portal_sign_ins_by_tenant on portal_sign_ins (tenant_id, at, id);
create index portal_sign_ins_by_user on portal_sign_ins (user_id, at, id) where user_id is not null;
