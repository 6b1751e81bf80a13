-- The list of tasks no longer counts the calls to Google. Nothing else reads this index.
drop index tasks_scheduled_by_frequency;
