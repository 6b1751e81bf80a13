import type { AuditRow } from '@switchboard/contract/activity'

/** The actor of a timeline: the part of the address before the "@". */
export function shortActorText(actor_email: string | null): string {
  const text = actorText({ actor_email })
  return isAddress(text) ? text.slice(0, text.indexOf('@')) : text
}

/** The actor: an address, or the capitalized name of a system actor. */
export function actorText({ actor_email }: Pick<AuditRow, 'actor_email'>): string {
  if (actor_email === null) return 'Unknown'
  return isAddress(actor_email) ? actor_email : actor_email.charAt(0).toUpperCase() + actor_email.slice(1)
}

/** Whether an actor is named by an email address. System actors and service tokens are not. */
export function isAddress(actor: string): boolean {
  return /^[^" ]+@/.test(actor)
}
