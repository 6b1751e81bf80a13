-- Test keys beside live keys. All keys of earlier releases are live.

alter table api_keys
  add column environment text not null default 'live' check (environment in ('live', 'test'));
-- The environment of the key, which never changes: the counters need it after the key is deleted.
alter table api_key_outcomes
  add column environment text not null default 'live' check (environment in ('live', 'test'));

-- The filter by environment, and the test keys of a tenant. Most keys of most installations are live.
create index api_keys_test on api_keys (tenant_name, created_at desc, id desc)
where deleted_at is null and environment = 'test';
create index api_keys_test_by_tenant on api_keys (tenant_id) where deleted_at is null and environment = 'test';

-- Only live keys need attention.
drop index api_keys_expiring;
create index api_keys_expiring on api_keys (expires_at, id) include (tenant_id)
where is_active and grace_ends_at is null and expires_at is not null and environment = 'live';

-- Calls of test keys have counters of their own: test_accepted and test_refused.
create function check_facet(outcome text, environment text) returns text
language sql immutable
return case environment when 'test' then 'test_' else '' end || case outcome when 'valid' then 'accepted' else 'refused' end;

create or replace function count_key_checks() returns trigger
language plpgsql as $$
declare
  steps jsonb;
begin
  case tg_op
  when 'INSERT' then
    select jsonb_agg(sums) into steps from (
      select check_facet(outcome, environment) as facet, day as value, sum(count) as step from added group by 1, 2
    ) as sums;
  when 'DELETE' then
    select jsonb_agg(sums) into steps from (
      select check_facet(outcome, environment) as facet, day as value, -sum(count) as step from removed group by 1, 2
    ) as sums;
  when 'UPDATE' then
    select jsonb_agg(sums) into steps from (
      select check_facet(outcome, environment) as facet, day as value, sum(step) as step
      from (
        select outcome, environment, day, count as step from added
        union all select outcome, environment, day, -count from removed
      ) as changed
      group by 1, 2 having sum(step) <> 0
    ) as sums;
  end case;
  if steps is not null then perform add_to_counters(tg_table_name, steps); end if;
  return null;
end $$;

drop function check_facet(text);
