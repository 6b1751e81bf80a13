-- Failed sign-ins count for a day, and refusals of the throttle are counted instead of being audited one by one.

-- A failure from a network that the account was signed in from counts apart from the failures of strangers.
alter table sign_in_attempts add column is_known boolean not null default false;
-- A success ends the limit of fifteen minutes for its failures. The limit of a day still counts them.
alter table sign_in_attempts add column is_forgiven boolean not null default false;

-- One row for each network that the throttle refuses: the first refusal is audited at once, the number when the window
-- has ended. Rows of sign_in_attempts with is_refusal are written by earlier releases only.
create table sign_in_refusals (
  action    text not null,                     -- operation id: sign-in, or the current password in an open session
  address   text not null,                     -- as in sign_in_attempts: an IPv4 address or a /64
  began_at  timestamptz(3) not null,
  refusals  integer not null,
  primary key (action, address)
);

create index sign_in_refusals_by_beginning on sign_in_refusals (began_at);
