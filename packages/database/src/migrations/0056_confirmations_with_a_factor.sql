-- Time of the sign-in or of the last confirmation that had a second factor; null without one. An account with a second factor
-- confirms with it, so that a stolen password is not enough to remove it.
alter table sessions add column confirmed_with_factor_at timestamptz(3);
