-- The command palette no longer searches template versions. Nothing else reads this index.
drop index prompt_versions_search;
