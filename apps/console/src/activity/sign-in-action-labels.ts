/**
 * Labels of an action: done, refused, and the noun of the target. `switched` replaces `done` for
 * changes of a boolean field.
 */
export type ActionLabels = {
  label: string
  done: string
  tried: string
  noun?: string
  switched?: { field: string; on: string; off: string }
}

/** The actions about sign-ins, your account, invitations and security. */
export const SIGN_IN_ACTION_LABELS: Readonly<Record<string, ActionLabels>> = {
  'auth.login': { label: 'Signed in', done: 'Signed in', tried: 'sign in' },
  'auth.logout': { label: 'Signed out', done: 'Signed out', tried: 'sign out' },
  'single_sign_on.session': {
    label: 'Synchronized account with single sign-on',
    done: 'Synchronized',
    tried: 'synchronize',
    noun: 'account',
  },
  'single_sign_on.logout': {
    label: 'Signed out at identity provider',
    done: 'Ended the sessions of',
    tried: 'end the sessions of',
    noun: 'account',
  },
  'single_sign_on.no_role': {
    label: 'Lost role at identity provider',
    done: 'Ended the access of',
    tried: 'end the access of',
    noun: 'account',
  },
  'auth.profile': {
    label: 'Changed own profile',
    done: 'Changed their own profile',
    tried: 'change their own profile',
  },
  'email_changes.resend': {
    label: 'Sent link to new address again',
    done: 'Sent the link to the new address again for',
    tried: 'send the link to the new address again for',
    noun: 'account',
  },
  'email_changes.cancel': {
    label: 'Canceled new address',
    done: 'Canceled the new address of',
    tried: 'cancel the new address of',
    noun: 'account',
  },
  'email_changes.confirm': {
    label: 'Confirmed new address',
    done: 'Confirmed their new address',
    tried: 'confirm their new address',
  },
  'auth.confirm': { label: 'Confirmed identity', done: 'Confirmed their identity', tried: 'confirm their identity' },
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
  'auth.reset_password': {
    label: 'Reset own password',
    done: 'Reset their own password',
    tried: 'reset their own password',
  },
  'invitations.create': { label: 'Invited person', done: 'Invited', tried: 'invite', noun: 'person' },
  'invitations.resend': {
    label: 'Sent invitation again',
    done: 'Sent the invitation again to',
    tried: 'send the invitation again to',
    noun: 'person',
  },
  'invitations.withdraw': {
    label: 'Withdrew invitation',
    done: 'Withdrew the invitation of',
    tried: 'withdraw the invitation of',
    noun: 'person',
  },
  'invitations.accept': {
    label: 'Accepted invitation',
    done: 'Accepted the invitation to the console',
    tried: 'accept the invitation to the console',
  },
  'mail.test': { label: 'Sent test mail', done: 'Sent a test mail', tried: 'send a test mail' },
  'sessions.end': { label: 'Ended own session', done: 'Ended a session of theirs', tried: 'end a session' },
  'sessions.end_others': {
    label: 'Ended own other sessions',
    done: 'Ended all their other sessions',
    tried: 'end their other sessions',
  },
  'second_factors.add_totp': {
    label: 'Added authenticator app',
    done: 'Added an authenticator app',
    tried: 'add an authenticator app',
  },
  'second_factors.add_passkey': { label: 'Added passkey', done: 'Added a passkey', tried: 'add a passkey' },
  'second_factors.delete': {
    label: 'Removed second factor',
    done: 'Removed a second factor',
    tried: 'remove a second factor',
  },
  'second_factors.renew_codes': {
    label: 'Made recovery codes',
    done: 'Made new recovery codes',
    tried: 'make new recovery codes',
  },
  'second_factors.reset': {
    label: 'Reset second factor of user',
    done: 'Reset the second factor of',
    tried: 'reset the second factor of',
    noun: 'user',
  },
  'security.update': {
    label: 'Changed security settings',
    done: 'Changed the security settings',
    tried: 'change the security settings',
    switched: {
      field: 'second_factor_required',
      on: 'Required a second factor for everyone',
      off: 'Made the second factor optional',
    },
  },
}
