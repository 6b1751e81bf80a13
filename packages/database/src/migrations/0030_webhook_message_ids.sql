-- The `webhook-id` of a webhook. A second webhook with the same id is refused. Null in rows of earlier releases.
alter table task_webhooks add column message_id text;

create unique index task_webhooks_message_id_unique on task_webhooks (message_id);
