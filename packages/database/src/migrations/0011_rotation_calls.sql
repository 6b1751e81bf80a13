-- How often a rotated key had been accepted by then, so that its calls since the rotation can be told. Counts come in
-- batches, at most two seconds late, and so is this one.
alter table api_keys add column calls_before_rotation bigint;
