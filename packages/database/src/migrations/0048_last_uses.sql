-- The last use of each API key up to a day. The list by last use reads these rows and the calls since: a look-up in
-- api_key_outcomes for each of 200,000 keys takes more than a second.

-- A restore fills the tables of keys in reverse order of their names: this one before api_key_outcomes, whose trigger adds rows.
create table api_keys_last_used (
  api_key_id    uuid primary key references api_keys on delete cascade,
  last_used_at  timestamptz(3) not null                 -- last accepted check up to the day
) with (fillfactor = 70);                               -- updated once a day: leaves room for HOT updates

-- The day, a single row. Writers of calls of this day and of days before lock it.
create table api_keys_last_used_until (day date not null);

-- Calls of ended days are written by restores of deleted keys and tenants. Calls of the current day need no work.
create function keep_uses_of_ended_days() returns trigger
language plpgsql as $$
declare
  until date;
begin
  if not exists (select from added where day < (now() at time zone 'UTC')::date) then return null; end if;
  select day into until from api_keys_last_used_until for share;
  insert into api_keys_last_used as stored (api_key_id, last_used_at)
  select api_key_id, max(last_at) from added where outcome = 'valid' and day <= until group by api_key_id order by api_key_id
  on conflict (api_key_id) do update set last_used_at = excluded.last_used_at where stored.last_used_at < excluded.last_used_at;
  return null;
end $$;

-- Folded calls are kept already.
create trigger api_key_outcomes_kept after insert on api_key_outcomes
referencing new table as added for each statement
when (current_setting('switchboard.is_folding', true) is distinct from 'on')
execute function keep_uses_of_ended_days();

-- The calls of a day are all committed an hour after its end.
insert into api_keys_last_used_until (day) values (((now() - interval '1 hour') at time zone 'UTC')::date - 1);
insert into api_keys_last_used (api_key_id, last_used_at)
select api_key_id, max(last_at) from api_key_outcomes
where outcome = 'valid' and day <= (select day from api_keys_last_used_until) group by api_key_id order by api_key_id;

-- Keeps the last uses of the next day that has ended, at most `most` in a call. Returns their number. A key that is deleted or
-- changes its secret at the moment is left to the next call.
create function keep_last_uses(most integer) returns integer
language plpgsql as $$
declare
  until date;
  ended date;
  found_count integer;
  kept_count integer;
begin
  select day into until from api_keys_last_used_until for update skip locked;
  select min(day) into ended from api_key_outcomes
  where outcome = 'valid' and day > until and day < ((now() - interval '1 hour') at time zone 'UTC')::date;
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
