-- The list of all runs: one index per sort order, with the id as the tie-breaker, and one per filter. The runs of a tenant
-- and of a search are found by their tasks.
create index runs_by_created_at on runs (created_at, id);
create index runs_by_duration on runs ((coalesce(extract(epoch from finished_at - started_at), -1)), id);
create index runs_by_any_outcome on runs (outcome, created_at, id);
create index runs_by_reason on runs (reason, created_at, id) where reason is not null;
