-- Suspensions: why a tenant is inactive, since when, and until when. The status alone decides whether keys and tasks work: a
-- tenant stays inactive after the end until a worker activates it. All three are null for an active tenant.
alter table tenants
  add column suspension_reason text check (char_length(suspension_reason) between 1 and 200),
  add column suspended_at timestamptz(3),     -- null if the tenant became inactive before this migration
  add column suspended_until timestamptz(3),  -- null without an end
  add constraint tenants_suspended_while_inactive
    check (status = 'inactive' or num_nonnulls(suspension_reason, suspended_at, suspended_until) = 0);

-- The next ends, for the workers.
create index tenants_by_suspension_end on tenants (suspended_until) where suspended_until is not null;
