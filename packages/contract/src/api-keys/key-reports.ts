import * as z from 'zod/mini'
import { endpoint } from '#src/wire/endpoint.ts'
import { anyText, text } from '#src/wire/text.ts'

/** Maximum number of reported secrets of one call. */
export const KEY_REPORTS_MAX = 100
/** Calls with reports that a network may make in a minute, in each process of ai-api. */
export const KEY_REPORT_CALLS_PER_MINUTE = 60
/** Longest stored address of a reported secret. */
export const REPORTED_URL_MAX = 2_000

/** Header with the identifier of the public key that verifies the signature. */
export const REPORT_KEY_HEADER = 'github-public-key-identifier'
/** Header with the signature of the body: ECDSA on P-256 with SHA-256, in base64. */
export const REPORT_SIGNATURE_HEADER = 'github-public-key-signature'

const HEADER_MAX = 200

/** The answer while no setting has the address of the public keys. */
export const REPORTS_OFF = 'This server takes no reports of leaked keys.'

/**
 * A secret that a scanner found in public, in the form of GitHub's secret scanning partner program.
 * @example {"token":"sb_live_…","type":"switchboard_api_key","url":"https://github.com/octocat/Hello-World/blob/main/config.ts","source":"content"}
 */
export const keyReport = z.object({
  /** The secret. */
  token: anyText(1_000),
  /** Name of the pattern that found the secret. */
  type: text(200),
  /** Where the secret was found. */
  url: z.optional(z.nullable(anyText(10_000))),
  /** Kind of the place, such as `content` or `commit`. */
  source: z.optional(z.nullable(text(200))),
})
export type KeyReport = z.infer<typeof keyReport>

/** Whether a reported secret is an API key. */
export const keyReportAnswer = z.object({
  /** SHA-256 of the secret, in hexadecimal. */
  token_hash: z.string(),
  /** The `type` of the report. */
  token_type: z.string(),
  /** `true_positive` for a key, `false_positive` for anything else. */
  label: z.enum(['true_positive', 'false_positive']),
})
export type KeyReportAnswer = z.infer<typeof keyReportAnswer>

/**
 * Takes reports of leaked keys from a secret scanning service. The first report of a key marks it as leaked and, with
 * `KEY_REPORT_ACTION=deactivate`, deactivates it. 401 without a valid signature, 404 while reports are off.
 */
export const reportKeys = endpoint('POST', '/v1/keys/reported', {
  config: { public: true },
  operationId: 'keys.report',
  summary: 'Report leaked API keys',
  tags: ['API keys'],
  headers: z.object({
    /** Identifier of the public key that verifies the signature. */
    'github-public-key-identifier': text(HEADER_MAX),
    /** Signature of the body: ECDSA on P-256 with SHA-256, in base64. */
    'github-public-key-signature': text(HEADER_MAX),
  }),
  body: z.array(keyReport).check(z.maxLength(KEY_REPORTS_MAX)),
  response: { 200: z.array(keyReportAnswer) },
})
