-- Mails about sign-ins from new networks and browsers.
alter table known_devices
  add column mail_to        text,  -- address of the account at the sign-in: a later change of the address redirects no mail
  add column mail_state     text check (mail_state in ('queued', 'sent', 'failed')),  -- null: nothing to tell, or no mail server
  add column mail_attempts  integer not null default 0,
  add column mail_problem   text,  -- reason of the last failed attempt, as a sentence
  add constraint known_devices_mail_has_address check ((mail_state is null) = (mail_to is null)),
  -- Found by the job that sends the mail.
  add constraint known_devices_id_unique unique (id);
