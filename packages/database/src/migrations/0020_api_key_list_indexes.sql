-- Filters and totals of the list of API keys at 200,000 keys. An index with all columns of a state counts keys without
-- reading their rows.
drop index api_keys_by_expiry, api_keys_by_tenant;
create index api_keys_by_expiry on api_keys ((coalesce(expires_at, '9999-12-31T23:59:59.999Z'::timestamptz)), id)
include (expires_at, tenant_id, is_active, is_replaced, grace_ends_at, revoked_at) where deleted_at is null;
create index api_keys_by_tenant on api_keys (tenant_id, created_at, id)
include (deleted_at, is_replaced, is_active, expires_at, grace_ends_at, revoked_at);

-- Rare states, and both filters by origins, in the default order.
create index api_keys_revoked on api_keys (tenant_name, created_at desc, id desc)
where deleted_at is null and revoked_at is not null;
create index api_keys_rotated on api_keys (tenant_name, created_at desc, id desc)
where deleted_at is null and grace_ends_at is not null;
create index api_keys_restricted on api_keys (tenant_name, created_at desc, id desc)
where deleted_at is null and allowed_origins <> '{}';
create index api_keys_unrestricted on api_keys (tenant_name, created_at desc, id desc)
where deleted_at is null and allowed_origins = '{}';

-- The accepted calls of the recent days, for the sort by calls.
create index api_key_outcomes_accepted on api_key_outcomes (day) where outcome = 'valid';
