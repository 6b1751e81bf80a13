-- A clock that ran ahead may have ended days too early. The next call goes back by a month and keeps these days again: until then the
-- list by last use reads the calls since, and the later time counts.

create or replace function keep_last_uses(most integer) returns integer
language plpgsql as $$
declare
  until date;
  unended constant date := ((now() - interval '1 hour') at time zone 'UTC')::date;
  ended date;
  found_count integer;
  kept_count integer;
begin
  select day into until from api_keys_last_used_until for update skip locked;
  if until >= unended then
    update api_keys_last_used_until set day = unended - 30 returning day into until;
  end if;
  select min(day) into ended from api_key_outcomes
  where outcome = 'valid' and day > until and day < unended;
  if ended is null then return 0; end if;
  with unkept as materialized (
    select api_key_id, last_at from api_key_outcomes left join api_keys_last_used as stored using (api_key_id)
    where outcome = 'valid' and day = ended and (stored.last_used_at is null or stored.last_used_at < last_at)
    order by api_key_id limit most
  ), locked as (
    select api_key_id, last_at from unkept join api_keys on api_keys.id = api_key_id
    order by api_key_id for key share of api_keys skip locked
  ), kept as (
    insert into api_keys_last_used as stored (api_key_id, last_used_at) select api_key_id, last_at from locked
    on conflict (api_key_id) do update set last_used_at = greatest(stored.last_used_at, excluded.last_used_at)
    returning 1
  )
  select (select count(*) from unkept), (select count(*) from kept) into found_count, kept_count;
  if found_count < most and kept_count = found_count then
    update api_keys_last_used_until set day = ended;
  end if;
  return kept_count;
end $$;
