-- The sort of the list of API keys by the first allowed origin. Keys for any origin come first.
create index api_keys_by_origin on api_keys ((coalesce(allowed_origins[1], '')), id) where deleted_at is null;
