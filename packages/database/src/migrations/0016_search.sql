-- What the command palette finds keys by: words of the name, and what lists show of a key whose secret nobody has.

-- The leading space as in tenants.
alter table api_keys
  add column search_text text not null generated always as (' ' || lower(name collate "und-x-icu")) stored;
create index api_keys_search on api_keys using gin (search_text gin_trgm_ops);
create index api_keys_by_name on api_keys (name);
create index api_keys_by_secret_end on api_keys (key_last4, key_start);
create index api_keys_by_id_end on api_keys ("right"(id::text, 4));
