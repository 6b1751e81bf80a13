-- Why calls of a key are refused: its calls by hour, and the origins that it refused.

-- Results of key checks per hour, written with the results per day. The worker deletes them after two days.
create table api_key_hours (
  api_key_id  uuid not null references api_keys on delete cascade,
  hour        timestamptz(3) not null,
  outcome     text not null
    check (outcome in ('valid', 'revoked', 'tenant_inactive', 'disabled', 'expired', 'origin_refused')),
  count       bigint not null,
  primary key (api_key_id, hour, outcome)
) with (fillfactor = 70);                             -- updated often, as api_key_outcomes

create index api_key_hours_by_hour on api_key_hours (hour);

-- Origins of refused calls, normalized. Anyone who knows a key can make up origins, so a key has at most 20 rows. The worker
-- deletes origins without a call for 30 days.
create table api_key_refused_origins (
  api_key_id  uuid not null references api_keys on delete cascade,
  origin      text check (char_length(origin) <= 255),  -- null: calls without a readable origin
  count       bigint not null,                        -- a lower bound
  last_at     timestamptz(3) not null,
  constraint api_key_refused_origins_unique unique nulls not distinct (api_key_id, origin)
);

create index api_key_refused_origins_by_last_at on api_key_refused_origins (last_at);

-- Keeps the ten newest and the ten most frequent origins of a key: a flood of origins replaces the newest only.
create function keep_refused_origins() returns trigger
language plpgsql as $$
begin
  delete from api_key_refused_origins where ctid = any(array(
    select ctid from (
      select stored.ctid,
        row_number() over (partition by api_key_id order by last_at desc, count desc, origin) as by_time,
        row_number() over (partition by api_key_id order by count desc, last_at desc, origin) as by_count
      from api_key_refused_origins as stored where api_key_id in (select api_key_id from added)
    ) as ranked
    where by_time > 10 and by_count > 10
  ));
  return null;
end $$;

create trigger api_key_refused_origins_kept after insert on api_key_refused_origins
referencing new table as added for each statement execute function keep_refused_origins();
