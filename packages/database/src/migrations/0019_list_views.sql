-- Saved views of the lists of the console: filters, order and columns under a name.

create table list_views (
  id          uuid primary key default gen_random_uuid(),
  -- No foreign key: a shared view outlives its owner, and a restored account finds its private views again.
  owner_id    uuid not null,
  list        text not null check (list in ('tenants', 'users', 'api_keys', 'tasks', 'runs', 'activity')),
  name        text not null check (char_length(name) between 1 and 40),
  search      text not null check (char_length(search) <= 2000),  -- query of the address: "status=active&sort=name"
  is_shared   boolean not null,           -- false: seen by its owner only
  created_at  timestamptz(3) not null default now()
);

create index list_views_by_owner on list_views (owner_id, list);
create index list_views_shared on list_views (list) where is_shared;

-- The view with which a list opens for a person.
create table default_list_views (
  user_id  uuid not null,                 -- no foreign key, as for the owner
  list     text not null,
  view_id  uuid not null references list_views on delete cascade,
  primary key (user_id, list)
);

create index default_list_views_by_view on default_list_views (view_id);
