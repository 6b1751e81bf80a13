-- Confirmations of sessions, and known devices of those who run the console.

-- Time of the sign-in or of the last confirmation. Sensitive calls need a recent one. The default is for processes of an
-- earlier release, which insert sessions during a rolling restart.
alter table sessions add column confirmed_at timestamptz(3) not null default now();
update sessions set confirmed_at = created_at;

-- Networks and browsers from which an account of the console was signed in to. A row beyond the first that has a new
-- network or a new browser is a new sign-in: a notice tells the account until it is dismissed.
create table known_devices (
  id          uuid not null default gen_random_uuid(),
  user_id     uuid not null references users on delete cascade,
  network     text not null,                       -- IPv4 address, or /64 network of an IPv6 address
  device      text not null,                       -- browser and system: "Firefox on Linux"
  address     text not null,                       -- of the first sign-in
  first_at    timestamptz(3) not null,
  last_at     timestamptz(3) not null,             -- forgotten 90 days later
  session_id  uuid references sessions on delete set null,  -- of the first sign-in: this session is told nothing
  is_noticed  boolean not null default true,       -- false while the notice is shown
  primary key (user_id, network, device)
);

create index known_devices_by_session on known_devices (session_id);
