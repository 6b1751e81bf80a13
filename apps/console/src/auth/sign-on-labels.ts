import type { SsoFailure } from '@switchboard/contract/single-sign-on'

const SENTENCES: Readonly<Record<SsoFailure, string>> = {
  denied: 'Your identity provider did not sign you in. Try again.',
  expired: 'The sign-in took too long, or was begun in another browser. Try again.',
  refused: 'The answer of your identity provider could not be verified. Tell the people who run this console.',
  no_role: 'You have no role in this console. Ask the people who run it for access.',
  no_email: 'Your identity provider gave no email address. Tell the people who run this console.',
  email_unverified: 'Your identity provider has not verified your email address.',
  email_taken: 'Your email address belongs to an account that single sign-on does not open.',
  inactive: 'Your account is inactive.',
  too_many: 'Too many sign-in attempts. Try again in 15 minutes.',
  unavailable: 'Single sign-on is not available at the moment. Try again later.',
}

/** Sentence of the reason in the address. A newer server may send a reason that an older page does not know. */
export function signOnFailureText(reason: string): string {
  return Object.entries(SENTENCES).find(([name]) => name === reason)?.[1] ?? 'Login failed'
}
