import { existsSync } from 'node:fs'
import { setGlobalProxyFromEnv } from 'node:http'
import { healthz, readyz } from '@switchboard/contract/wire/health'
import { createMailer } from '@switchboard/mail/mailer'
import { IS_RELEASE } from '@switchboard/server/settings/commands'
import type { Settings } from '@switchboard/server/settings/env'
import { VERSION } from '@switchboard/server/settings/version'
import { z } from 'zod'
import { type Check, failed, ok, warning } from './finding.ts'

/** How long an answer may take, in milliseconds. */
const ANSWER_MS = 5_000

/**
 * Calls the servers and the external services that the settings name. `installation` identifies the database, and is
 * null if it cannot be read.
 */
export function reachabilityChecks(settings: Settings, installation: string | null): Check[] {
  const { port, aiPort, publicUrl, aiApiUrl, oidc, mail } = settings
  return [
    // Some networks do not lead back to their own public address.
    [
      'console',
      () =>
        publicUrl !== undefined && isInImage() && isLoopback(publicUrl)
          ? ok(`${publicUrl} was not tried: in this container it leads to the container itself.`)
          : checkServer('PUBLIC_URL', publicUrl ?? `http://127.0.0.1:${port}`, { absent: warning, installation }),
    ],
    [
      'ai-api',
      () => checkServer('AI_API_URL', aiApiUrl ?? `http://127.0.0.1:${aiPort}`, { absent: failed, installation }),
    ],
    ['google', () => checkGoogle(settings)],
    ['mail server', async () => await checkMail(mail)],
    ...(oidc === null ? [] : [['identity provider', () => checkIssuer(oidc.issuer, settings)] satisfies Check]),
  ]
}

/** Whether this is a release in a container of Docker or Podman, as in the image. */
function isInImage(): boolean {
  return IS_RELEASE && (existsSync('/.dockerenv') || existsSync('/run/.containerenv'))
}

function isLoopback(origin: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(origin).hostname)
}

type Expected = { absent: typeof failed; installation: string | null }

/**
 * Whether a server of this release and this installation answers at the origin in a setting. `absent` makes the finding
 * if nothing answers.
 */
async function checkServer(setting: string, origin: string, { absent, installation }: Expected) {
  const answer = await answerOf(`${origin}${healthz.url}`)
  if ('problem' in answer) return absent(`${answer.problem} Start the server and its proxy, or correct ${setting}.`)
  const { success, data } = healthz.schema.response[200].safeParse(answer.body)
  if (!success) return failed(`${origin} does not answer as Switchboard does. Correct ${setting}.`)
  if (data.version !== VERSION)
    return warning(`${origin} runs release ${data.version}, this is ${VERSION}. Finish the upgrade.`)
  const ready = await answerOf(`${origin}${readyz.url}`)
  if ('problem' in ready) return absent(`${ready.problem} Start the server and its proxy, or correct ${setting}.`)
  const { data: state } = readyz.schema.response[200].safeParse(ready.body)
  if (state?.status !== 'ok') return failed(`${origin} answers, but cannot serve: read the log of the server.`)
  if (installation === null) return ok(`${origin} answers. The database cannot say whether it is this installation.`)
  return state.installation === installation
    ? ok(`${origin} answers.`)
    : failed(`${origin} is the server of another installation: it uses another database. Correct ${setting}.`)
}

async function checkGoogle(settings: Settings) {
  const { googleMapsApiKey, googlePlacesUrl, sampleMaps } = settings
  if (sampleMaps) return ok('The maps emulator answers instead: GOOGLE_MAPS_API_KEY is not set.')
  if (googleMapsApiKey === undefined) return warning('GOOGLE_MAPS_API_KEY is not set: runs and look-ups fail.')
  // Any status: a call with the key would be charged.
  const answer = await outsideAnswerOf(googlePlacesUrl, settings)
  return 'problem' in answer
    ? failed(`${answer.problem} Let admin-api and the worker reach it, or set GOOGLE_PLACES_URL to a proxy.`)
    : ok(`${googlePlacesUrl} answers.`)
}

async function checkMail(mail: Settings['mail']) {
  const mailer = createMailer(mail, '')
  if (mailer === null) return ok('None: SMTP_URL is not set.')
  await mailer.verify()
  return ok('It accepts the user and the password of SMTP_URL.')
}

async function checkIssuer(issuer: string, settings: Settings) {
  const answer = await outsideAnswerOf(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, settings)
  if ('problem' in answer) return failed(`${answer.problem} Let admin-api reach it.`)
  const { data } = z.object({ issuer: z.string() }).safeParse(answer.body)
  return data?.issuer === issuer
    ? ok(`${issuer} answers.`)
    : failed(`OIDC_ISSUER is ${issuer}, but the provider there is ${data?.issuer ?? 'not an OpenID provider'}.`)
}

/**
 * Like `answerOf`, but through the HTTP proxy of the settings, which the servers use for external services. The checks
 * run one after another.
 */
async function outsideAnswerOf(url: string, { outboundProxies: { httpProxy, httpsProxy, noProxy } }: Settings) {
  const restore = setGlobalProxyFromEnv({ http_proxy: httpProxy, https_proxy: httpsProxy, no_proxy: noProxy })
  try {
    return await answerOf(url)
  } finally {
    restore()
  }
}

/** The body of an answer, `undefined` unless it is JSON; or the reason why there was none, as a sentence. */
async function answerOf(url: string): Promise<{ body: unknown } | { problem: string }> {
  try {
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) })
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
    return { body: isJson ? await answer.json() : undefined }
  } catch (error) {
    const cause: unknown = error instanceof Error && error.cause !== undefined ? error.cause : error
    const reason = cause instanceof Error ? cause.message : String(cause)
    return { problem: `${new URL(url).origin} does not answer (${reason || 'refused'}).` }
  }
}
