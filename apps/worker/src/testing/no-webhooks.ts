import type { Deps } from '#src/deps.ts'

/** Dependencies of a worker without webhooks. */
export const NO_WEBHOOKS: Pick<Deps, 'webhookClient' | 'secretKeys'> = {
  webhookClient: { send: async () => Promise.reject(new Error('This test has no webhooks.')) },
  secretKeys: { current: null, old: [] },
}
