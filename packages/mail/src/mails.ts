import type { ConsoleRole } from '@switchboard/contract/auth/current-admin'
import { EMAIL_CHANGE_HOURS, INVITATION_HOURS, PASSWORD_RESET_MINUTES } from '@switchboard/contract/links'
import type { Mail } from './mailer.ts'

/** Name of the product, for the subject, the head and the foot. */
export type Brand = { brandName: string; consoleUrl: string }

/** The mail of an invitation. `url` is the link with its token. */
export function invitationMail(
  brand: Brand,
  { url, role, invited_by }: { url: string; role: ConsoleRole; invited_by: string },
): Mail {
  return mailOf(brand, {
    subject: `Invitation to ${brand.brandName}`,
    before: [
      `${invited_by} invites you to the ${brand.brandName} console with the role ${role.replaceAll('_', ' ')}.`,
      'Choose a password to accept:',
    ],
    button: { label: 'Accept invitation', url },
    after: [
      `The link works once and for ${INVITATION_HOURS} hours. Do not forward this mail: the link makes the account.`,
      'If you did not expect this invitation, ignore this mail.',
    ],
  })
}

/** The mail of the invitation of a user to the portal of a tenant, in the name of the tenant. `url` is the link with its token. */
export function userInvitationMail({
  tenant,
  portal_url,
  url,
  email,
}: {
  tenant: string
  portal_url: string
  url: string
  email: string
}): Mail {
  return mailOf(
    { brandName: tenant, consoleUrl: portal_url },
    {
      subject: `Your account at ${tenant}`,
      before: [`The account ${email} was created for you at ${tenant}.`, 'Choose a password to use it:'],
      button: { label: 'Choose a password', url },
      after: [
        `The link works once and for ${INVITATION_HOURS} hours. Do not forward this mail: the link opens the account.`,
        'If you did not expect this, ignore this mail.',
      ],
    },
  )
}

/** The mail of a password reset. `url` is the link with its token. */
export function passwordResetMail(brand: Brand, { url, email }: { url: string; email: string }): Mail {
  return mailOf(brand, {
    subject: `Reset your ${brand.brandName} password`,
    before: [`A new password was requested for the account ${email} of the ${brand.brandName} console.`],
    button: { label: 'Choose a new password', url },
    after: [
      `The link works once and for ${PASSWORD_RESET_MINUTES} minutes. A new password ends all sessions of the account.`,
      'If you did not request this, ignore this mail: your password stays as it is.',
    ],
  })
}

/** The mail to a new address of an account. `account` is the current address, `url` is the link with its token. */
export function emailChangeMail(
  brand: Brand,
  { url, email, account, requested_by }: { url: string; email: string; account: string; requested_by: string },
): Mail {
  return mailOf(brand, {
    subject: `Confirm your new address for ${brand.brandName}`,
    before: [
      `${requested_by} asked to change the address of the account ${account} of the ${brand.brandName} console to ${email}.`,
      'The account keeps its address until you confirm the new one:',
    ],
    button: { label: 'Confirm address', url },
    after: [
      `The link works once and for ${EMAIL_CHANGE_HOURS} hours. The change ends all sessions of the account.`,
      'If you did not expect this, ignore this mail: the account keeps its address.',
    ],
  })
}

/**
 * The mail about changes of an account. `changes` are sentences, `changed_at` is ISO 8601, `address` is null on the
 * server itself.
 */
export function accountChangedMail(
  brand: Brand,
  {
    account,
    changes,
    changed_by,
    address,
    changed_at,
  }: { account: string; changes: string[]; changed_by: string; address: string | null; changed_at: string },
): Mail {
  return mailOf(brand, {
    subject: `Your ${brand.brandName} account was changed`,
    before: [`Your account ${account} of the ${brand.brandName} console was changed.`, ...changes],
    facts: [
      ['Time', timeText(changed_at)],
      ['By', changed_by],
      ['Network address', address ?? 'the server itself'],
    ],
    button: { label: 'Check your account', url: `${brand.consoleUrl}/settings/security` },
    after: [
      'If you know about this change, there is nothing to do.',
      'If not, change your password in Settings at once, which ends all other sessions. Then check your second factors.',
      'If you cannot sign in, ask another super admin to deactivate your account.',
    ],
  })
}

/** The mail about a sign-in from a new network or browser. `at` is ISO 8601. */
export function newSignInMail(
  brand: Brand,
  { email, at, device, address }: { email: string; at: string; device: string; address: string },
): Mail {
  return mailOf(brand, {
    subject: `New sign-in to ${brand.brandName}`,
    before: [`Your account ${email} of the ${brand.brandName} console was used from a new device or network.`],
    facts: [
      ['Time', timeText(at)],
      ['Device', device],
      ['Network address', address],
    ],
    button: { label: 'Check your sign-ins', url: `${brand.consoleUrl}/settings/security` },
    after: [
      'If this was you, there is nothing to do.',
      'If not, change your password in Settings at once, which ends all other sessions. Then check your second factors.',
      'If you cannot sign in, ask another super admin to deactivate your account.',
    ],
  })
}

const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** A moment in a mail: "29 November 2026 at 03:12 UTC". */
export function timeText(moment: string): string {
  return `${TIME.format(new Date(moment))} UTC`
}

/** The mail of "Send test mail" in the settings. */
export function testMail(brand: Brand): Mail {
  return mailOf(brand, {
    subject: `Test mail from ${brand.brandName}`,
    before: ['The mail server of this console works: this mail has arrived.'],
    after: [],
  })
}

export type MailSection = {
  heading: string
  /** A sentence about all items. */
  advice?: string
  items: { text: string; label: string; url: string }[]
}

type Content = {
  subject: string
  before: string[]
  /** Headings, with sentences below that each lead to a page. */
  sections?: MailSection[]
  /** Names and values, one a line. */
  facts?: [string, string][]
  button?: { label: string; url: string }
  after: string[]
}

/** The same mail as text and as HTML. The HTML loads nothing from other servers. */
export function mailOf(
  { brandName, consoleUrl }: Brand,
  { subject, before, sections = [], facts = [], button, after }: Content,
): Mail {
  const foot = `Sent by ${brandName}, ${consoleUrl}`
  const lines = facts.map(([name, value]) => `${name}: ${value}`)
  const text = [
    ...before,
    ...sections.flatMap(({ heading, advice, items }) => [
      advice === undefined ? heading : `${heading}\n${advice}`,
      ...items.map(({ text: item, url }) => `${item}\n${url}`),
    ]),
    ...(lines.length === 0 ? [] : [lines.join('\n')]),
    ...(button === undefined ? [] : [button.url]),
    ...after,
    '-- ',
    foot,
  ]
  const paragraphs = (sentences: string[]) => sentences.map((sentence) => `<p>${escaped(sentence)}</p>`).join('\n')
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:24px;font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1a1b1e;background:#ffffff">
<div style="max-width:560px;margin:0 auto">
<p style="font-size:20px;font-weight:600;margin:0 0 24px">${escaped(brandName)}</p>
${[paragraphs(before), ...sections.map(sectionOf)].filter((part) => part !== '').join('\n')}
${lines.length === 0 ? '' : `<p>${lines.map(escaped).join('<br>')}</p>`}
${button === undefined ? '' : buttonOf(button)}
${paragraphs(after)}
<p style="margin-top:32px;padding-top:16px;border-top:1px solid #dee2e6;font-size:14px;color:#5c5f66">${escaped(foot)}</p>
</div>
</body>
</html>
`
  return { subject, text: `${text.join('\n\n')}\n`, html }
}

/** A heading and its sentences, each with its link. */
function sectionOf({ heading, advice, items }: MailSection): string {
  const lines = items.map(
    ({ text, label, url }) =>
      `<li style="margin:0 0 8px">${escaped(text)} <a href="${escaped(url)}">${escaped(label)}</a></li>`,
  )
  const head = `<h2 style="font-size:16px;margin:24px 0 8px">${escaped(heading)}</h2>`
  return `${head}${advice === undefined ? '' : `\n<p style="margin:0 0 8px">${escaped(advice)}</p>`}
<ul style="margin:0;padding-left:20px">
${lines.join('\n')}
</ul>`
}

/** The link as a button, and below as text, because some mail programs show no buttons. */
function buttonOf({ label, url }: { label: string; url: string }): string {
  const style =
    'display:inline-block;padding:12px 20px;border-radius:8px;background:#1c4fd6;color:#ffffff;font-weight:600;text-decoration:none'
  return `<p style="margin:24px 0"><a href="${escaped(url)}" style="${style}">${escaped(label)}</a></p>
<p style="font-size:14px;color:#5c5f66;word-break:break-all">${escaped(url)}</p>`
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
