import { randomUUID } from 'node:crypto'
import { errorBody } from '@switchboard/contract/wire/errors'
import {
  type ExecuteTaskBody,
  executeTask,
  RUN_REFUSALS,
  type RunAnswer,
  type RunTaskBody,
  runAnswer,
  WEBHOOK_ID_HEADER,
  WEBHOOK_SIGNATURE_HEADER,
  WEBHOOK_TIMESTAMP_HEADER,
} from '@switchboard/contract/runs'
import { AppError, notFound } from '@switchboard/server/http/errors'
import { traceHeaders } from '@switchboard/server/process/tracing'
import { signatureOf } from '@switchboard/server/webhooks/webhook-signature'
import { Agent, request } from 'undici'
import * as z from 'zod/mini'

/** Timeouts of a connection and of a whole call, and the maximum size of an answer. */
const CONNECT_MS = 5_000
const TOTAL_MS = 15_000
const BODY_MAX = 1_048_576

/** Another AI API has no codes. */
const refusalBody = z.pick(errorBody, { detail: true })

/** The request of the actor, for ai-api's audit entry. */
type Caller = NonNullable<ExecuteTaskBody['actor']>

export type AiApiClient = {
  /** Origin of ai-api. */
  url: string
  /**
   * Runs a task and waits up to ten seconds for its end. Throws 404 for an unknown task, 400 and 409 with a sentence of
   * `RUN_REFUSALS`, 502 for an unreachable ai-api or an unexpected answer, 504 after a timeout.
   */
  executeTask(body: RunTaskBody, caller: Caller): Promise<RunAnswer>
  /** Closes the connections. */
  close(): Promise<void>
}

/** `url` is ai-api's origin, the only address called. `secret` signs requests and is never sent. */
export function createAiApiClient({
  url,
  secret,
  totalMs = TOTAL_MS,
}: {
  url: string
  secret: string
  totalMs?: number
}): AiApiClient {
  // undici does not follow redirects by default. The HTTP proxy is not used, because ai-api is one of our servers.
  const dispatcher = new Agent({ connect: { timeout: CONNECT_MS }, maxResponseSize: BODY_MAX })
  return {
    url,
    async executeTask(run, actor) {
      const body = JSON.stringify({ ...run, actor } satisfies ExecuteTaskBody)
      const id = `msg_${randomUUID()}`
      const timestamp = String(Math.floor(Date.parse(run.timestamp) / 1_000))
      const { status, text } = await answerOf(async () => {
        const response = await request(`${url}${executeTask.url}`, {
          dispatcher,
          method: executeTask.method,
          headers: {
            ...traceHeaders(),
            'content-type': 'application/json',
            [WEBHOOK_ID_HEADER]: id,
            [WEBHOOK_TIMESTAMP_HEADER]: timestamp,
            [WEBHOOK_SIGNATURE_HEADER]: signatureOf(secret, { id, timestamp, body }),
          },
          body,
          signal: AbortSignal.timeout(totalMs),
        })
        return { status: response.statusCode, text: await response.body.text() }
      })
      const json = parsed(text)
      const { success, data } = runAnswer.safeParse(json)
      if (status < 200 || status > 299 || !success) throw refusal(status, json)
      return data
    },
    close: () => dispatcher.close(),
  }
}

async function answerOf<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  try {
    return await send()
  } catch (error) {
    // A library's message may contain secrets: only our own sentences reach the caller.
    if (error instanceof DOMException && error.name === 'TimeoutError')
      throw new AppError(504, 'The AI API did not answer in time. See the runs of the task.')
    throw new AppError(502, 'The AI API cannot be reached. Try again in a moment.')
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function refusal(status: number, json: unknown): AppError {
  const { data } = refusalBody.safeParse(json)
  const detail = typeof data?.detail === 'string' ? data.detail : ''
  if (status === 404 && detail === notFound('Task').message) return notFound('Task')
  if (RUN_REFUSALS.includes(detail) && status >= 400 && status < 500) return new AppError(status, detail)
  if (status === 401)
    return new AppError(502, 'The AI API refuses the webhook signature. Ask operations to check WEBHOOK_SECRET.')
  if (status === 503) return new AppError(503, 'The AI API is busy. Try again in a moment.')
  return new AppError(502, 'The AI API gave an answer that cannot be read. Ask operations.')
}
