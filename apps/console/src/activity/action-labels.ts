/** Labels of an action: done, refused, and the noun of the target. `switched` replaces `done` for changes of a boolean field. */
export type ActionLabels = {
  label: string
  done: string
  tried: string
  noun?: string
  switched?: { field: string; on: string; off: string }
}

const ACTIVE = { field: 'is_active', on: 'Activated', off: 'Deactivated' }

/** Every action of the audit log, in the order of the filter. A test compares them with the contract's endpoints. */
export const ACTION_LABELS: Readonly<Record<string, ActionLabels>> = {
  'auth.login': act('Signed in', 'sign in'),
  'auth.logout': act('Signed out', 'sign out'),
  'single_sign_on.session': {
    ...act('Synchronized', 'synchronize', 'account'),
    label: 'Synchronized account with single sign-on',
  },
  'single_sign_on.logout': {
    ...act('Ended the sessions of', 'end the sessions of', 'account'),
    label: 'Signed out at identity provider',
  },
  'single_sign_on.no_role': {
    ...act('Ended the access of', 'end the access of', 'account'),
    label: 'Lost role at identity provider',
  },
  'auth.profile': act('Changed their own profile', 'change their own profile'),
  'email_changes.resend': {
    ...act('Sent the link to the new address again for', 'send the link to the new address again for', 'account'),
    label: 'Sent link to new address again',
  },
  'email_changes.cancel': {
    ...act('Canceled the new address of', 'cancel the new address of', 'account'),
    label: 'Canceled new address',
  },
  'email_changes.confirm': act('Confirmed their new address', 'confirm their new address'),
  'auth.confirm': act('Confirmed their identity', 'confirm their identity'),
  'list_views.create': { label: 'Saved view', done: 'Saved a view of a list', tried: 'save a view of a list' },
  'list_views.update': { label: 'Changed view', done: 'Changed a view of a list', tried: 'change a view of a list' },
  'list_views.delete': { label: 'Deleted view', done: 'Deleted a view of a list', tried: 'delete a view of a list' },
  'sign_ins.dismiss': {
    label: 'Dismissed sign-in notice',
    done: 'Dismissed the notice of a new sign-in',
    tried: 'dismiss the notice of a new sign-in',
  },
  'auth.forgotten_password': {
    label: 'Asked for a password reset',
    done: 'Asked for a password reset',
    tried: 'ask for a password reset',
  },
  'auth.reset_password': act('Reset their own password', 'reset their own password'),
  'invitations.create': act('Invited', 'invite', 'person'),
  'invitations.resend': {
    ...act('Sent the invitation again to', 'send the invitation again to', 'person'),
    label: 'Sent invitation again',
  },
  'invitations.withdraw': {
    ...act('Withdrew the invitation of', 'withdraw the invitation of', 'person'),
    label: 'Withdrew invitation',
  },
  'invitations.accept': {
    label: 'Accepted invitation',
    done: 'Accepted the invitation to the console',
    tried: 'accept the invitation to the console',
  },
  'mail.test': act('Sent a test mail', 'send a test mail'),
  'sessions.end': { label: 'Ended own session', done: 'Ended a session of theirs', tried: 'end a session' },
  'sessions.end_others': {
    label: 'Ended own other sessions',
    done: 'Ended all their other sessions',
    tried: 'end their other sessions',
  },
  'second_factors.add_totp': act('Added an authenticator app', 'add an authenticator app'),
  'second_factors.add_passkey': act('Added a passkey', 'add a passkey'),
  'second_factors.delete': act('Removed a second factor', 'remove a second factor'),
  'second_factors.renew_codes': {
    label: 'Made recovery codes',
    done: 'Made new recovery codes',
    tried: 'make new recovery codes',
  },
  'second_factors.reset': act('Reset the second factor of', 'reset the second factor of', 'user'),
  'security.update': {
    ...act('Changed the security settings', 'change the security settings'),
    switched: {
      field: 'second_factor_required',
      on: 'Required a second factor for everyone',
      off: 'Made the second factor optional',
    },
  },
  'tenants.create': act('Created', 'create', 'tenant'),
  'tenants.import': act('Imported', 'import', 'tenant'),
  'tenants.update': act('Changed', 'change', 'tenant'),
  'tenants.delete': act('Deleted', 'delete', 'tenant'),
  'tenants.restore': act('Restored', 'restore', 'tenant'),
  'tenants.purge': {
    ...act('Deleted permanently', 'delete permanently', 'tenant'),
    label: 'Deleted tenant permanently',
  },
  'notes.create': { ...act('Added a note to', 'add a note to', 'tenant'), label: 'Added note' },
  'notes.update': { ...act('Changed a note on', 'change a note on', 'tenant'), label: 'Changed note' },
  'notes.delete': { ...act('Removed a note from', 'remove a note from', 'tenant'), label: 'Removed note' },
  'users.create': act('Created', 'create', 'user'),
  'users.import': act('Imported', 'import', 'user'),
  'users.toggle': {
    ...act('Changed', 'activate or deactivate', 'user'),
    label: 'Activated or deactivated user',
    switched: ACTIVE,
  },
  'users.password': {
    label: 'Changed own password at a portal',
    done: 'Changed their own password',
    tried: 'change their own password',
  },
  'users.accept_invitation': {
    label: 'Accepted invitation to a portal',
    done: 'Accepted the invitation to the portal',
    tried: 'accept the invitation to the portal',
  },
  'users.update': act('Changed', 'change', 'user'),
  'users.invite': act('Sent an invitation to', 'send an invitation to', 'user'),
  'users.set_password': act('Set the password of', 'set the password of', 'user'),
  'users.delete': act('Deleted', 'delete', 'user'),
  'users.restore': act('Restored', 'restore', 'user'),
  'team.update': { ...act('Changed', 'change', 'member'), switched: ACTIVE },
  'team.remove': act('Removed', 'remove', 'member'),
  'team.end_session': act('Ended a session of', 'end a session of', 'member'),
  'team.end_sessions': act('Ended all sessions of', 'end all sessions of', 'member'),
  'api_keys.create': act('Generated', 'generate', 'API key'),
  'api_keys.update': act('Changed', 'change', 'API key'),
  'api_keys.toggle': {
    ...act('Changed', 'activate or deactivate', 'API key'),
    label: 'Activated or deactivated API key',
    switched: ACTIVE,
  },
  'keys.report': act('Reported the leak of', 'report the leak of', 'API key'),
  'api_keys.rotate': act('Rotated', 'rotate', 'API key'),
  'api_keys.end_grace': act('Ended the grace of', 'end the grace of', 'API key'),
  'api_keys.extend_grace': act('Extended the grace of', 'extend the grace of', 'API key'),
  'api_keys.expire': { ...act('Noted the expiry of', 'note the expiry of', 'API key'), label: 'API key expired' },
  'api_keys.expire_grace': {
    ...act('Noted the end of the grace of', 'note the end of the grace of', 'API key'),
    label: 'Grace period ended',
  },
  'api_keys.delete': act('Deleted', 'delete', 'API key'),
  'api_keys.restore': act('Restored', 'restore', 'API key'),
  'tasks.create': act('Scheduled', 'schedule', 'task'),
  'tasks.update': {
    ...act('Changed', 'change', 'task'),
    switched: { field: 'is_paused', on: 'Paused', off: 'Resumed' },
  },
  'tasks.run': act('Ran', 'run', 'task'),
  'runs.succeed': { ...act('Ended a successful run of', 'end a run of', 'task'), label: 'Run succeeded' },
  'runs.fail': { ...act('Ended a failed run of', 'end a run of', 'task'), label: 'Run failed' },
  'runs.skip': { ...act('Skipped a run of', 'skip a run of', 'task'), label: 'Run skipped' },
  'tasks.delete': act('Deleted', 'delete', 'task'),
  'tasks.restore': act('Restored', 'restore', 'task'),
  'places.generate_id': act('Looked up a place', 'look up a place'),
  'prompts.save': {
    ...act('Published a new version of', 'publish a version of', 'template'),
    label: 'Published template',
  },
  'prompts.restore': {
    ...act('Restored an old version of', 'restore a version of', 'template'),
    label: 'Restored template',
  },
  'tenants.bulk': act('Changed many tenants', 'change many tenants'),
  'users.bulk': act('Changed many users', 'change many users'),
  'api_keys.bulk': act('Changed many API keys', 'change many API keys'),
  'tasks.bulk': act('Changed many tasks', 'change many tasks'),
  'runs.bulk': act('Retried many runs', 'retry many runs'),
  'tenants.export': act('Exported tenants', 'export tenants'),
  'users.export': act('Exported users', 'export users'),
  'api_keys.export': act('Exported API keys', 'export API keys'),
  'tasks.export': act('Exported tasks', 'export tasks'),
  'runs.export': act('Exported runs', 'export runs'),
  'audit.export': act('Exported activity', 'export activity'),
  'reviews.list': act('Read all reviews', 'read all reviews'),
  'portal_sign_ins.list': act('Read all portal sign-ins', 'read all portal sign-ins'),
  'alerts.open': { label: 'Noticed alert', done: 'Noticed an alert', tried: 'notice an alert' },
  'alerts.resolve': { label: 'Resolved alert', done: 'Saw the end of an alert', tried: 'see the end of an alert' },
  'alerts.notify': act('Told a webhook of alerts', 'tell a webhook of alerts'),
  'alerts.update_rule': act('Changed a rule of alerts', 'change a rule of alerts'),
  'alerts.update_settings': act('Changed the settings of alerts', 'change the settings of alerts'),
  'tokens.create': act('Created', 'create', 'service token'),
  'tokens.revoke': act('Revoked', 'revoke', 'service token'),
  'tokens.use': act('Used', 'use', 'service token'),
  'webhooks.create': act('Created', 'create', 'webhook'),
  'webhooks.update': {
    ...act('Changed', 'change', 'webhook'),
    switched: { field: 'is_active', on: 'Turned on', off: 'Turned off' },
  },
  'webhooks.rotate_secret': act('Rotated the secret of', 'rotate the secret of', 'webhook'),
  'webhooks.delete': act('Deleted', 'delete', 'webhook'),
  'webhooks.test': act('Sent a test to', 'send a test to', 'webhook'),
  'webhooks.replay': act('Replayed the deliveries of', 'replay the deliveries of', 'webhook'),
  'webhooks.disable': act('Disabled', 'disable', 'webhook'),
  'webhook_deliveries.replay': act('Replayed a delivery of', 'replay a delivery of', 'webhook'),
  'webhook_deliveries.list': act('Read all deliveries', 'read all deliveries'),
  'log_sinks.create': act('Created', 'create', 'log sink'),
  'log_sinks.update': {
    ...act('Changed', 'change', 'log sink'),
    switched: { field: 'is_on', on: 'Switched on', off: 'Switched off' },
  },
  'log_sinks.test': { ...act('Sent a test record to', 'send a test record to', 'log sink'), label: 'Tested log sink' },
  'log_sinks.delete': act('Deleted', 'delete', 'log sink'),
  'system.back_up': act('Started a backup', 'start a backup'),
  'backups.fail': { ...act('Failed to make or verify a backup', 'make a backup'), label: 'Backup failed' },
  'audit.break': {
    ...act('Found the chain of the audit log broken', 'check the chain of the audit log'),
    label: 'Audit chain broken',
  },
  'super_admins.first': act('Created the first', 'create', 'super admin'),
  'super_admins.create': act('Created', 'create', 'super admin'),
  'super_admins.reset-password': act('Reset the password of', 'reset the password of', 'super admin'),
}

/** The headings of the actions in the filter, by the first part of their names. */
const ACTION_GROUPS: readonly (readonly [heading: string, nouns: readonly string[]])[] = [
  ['Tenants', ['tenants', 'notes']],
  ['Users', ['users', 'portal_sign_ins']],
  ['API keys', ['api_keys']],
  ['Tasks and reviews', ['tasks', 'runs', 'places', 'reviews']],
  ['Prompt', ['prompts']],
  ['Team', ['team', 'invitations', 'super_admins']],
  ['Tokens', ['tokens']],
  ['Signals', ['alerts', 'webhooks', 'webhook_deliveries', 'log_sinks']],
  ['System', ['system', 'backups', 'mail', 'audit']],
]
/** The heading of all other actions: sign-ins, and the security of one's account. */
const SIGN_IN_GROUP = 'Sign-ins and accounts'

/** The actions by their headings. */
export const ACTION_OPTIONS = Object.entries(ACTION_LABELS)
  .map(([value, { label }]) => {
    const noun = value.split('.')[0] ?? ''
    const at = ACTION_GROUPS.findIndex(([, nouns]) => nouns.includes(noun))
    return { value, label, group: ACTION_GROUPS[at]?.[0] ?? SIGN_IN_GROUP, at: at === -1 ? ACTION_GROUPS.length : at }
  })
  .toSorted((one, other) => one.at - other.at)

/** The label of the filter is what was done, without articles: "Ended session of member". */
function act(done: string, tried: string, noun?: string): ActionLabels {
  const label = (noun === undefined ? done : `${done} ${noun}`).replaceAll(/ (?:the|an?|their)(?= )/g, '')
  return { label, done, tried, ...(noun !== undefined && { noun }) }
}
