import { randomUUID } from 'node:crypto'
import { WEBHOOK_ID_HEADER, WEBHOOK_SIGNATURE_HEADER, WEBHOOK_TIMESTAMP_HEADER } from '@switchboard/contract/runs'
import { signatureOf } from '@switchboard/server/webhooks/webhook-signature'
import { TEST_SECRET } from './test-deps.ts'

/** Headers of a signed webhook with this body. By default signed now, with the secret of the tests. */
export function signedHeaders(
  body: string | Buffer,
  { secret = TEST_SECRET, id = `msg_${randomUUID()}`, at = new Date() } = {},
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  return {
    [WEBHOOK_ID_HEADER]: id,
    [WEBHOOK_TIMESTAMP_HEADER]: timestamp,
    [WEBHOOK_SIGNATURE_HEADER]: signatureOf(secret, { id, timestamp, body }),
  }
}
