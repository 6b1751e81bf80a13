import * as z from 'zod/mini'

/** The first steps of an installation, from its records. A step is done when it is done for any tenant. */
export const firstSteps = z.object({
  /** The newest tenant; null without tenants. */
  tenant: z.nullable(
    z.object({
      /** Id of the tenant. */
      id: z.uuid(),
      /** Name of the tenant. */
      name: z.string(),
    }),
  ),
  /** Whether a tenant has a user. */
  has_user: z.boolean(),
  /** Whether a tenant has an API key. */
  has_key: z.boolean(),
  /** The newest API key of the newest tenant; a key that works comes first. Null without a key. */
  key: z.nullable(
    z.object({
      /** Id of the key. */
      id: z.uuid(),
      /** Whether calls with the key and an allowed origin are accepted. */
      is_working: z.boolean(),
      /** Prefix of the secret: it names the environment. */
      key_prefix: z.string(),
      /** The four characters of the secret after the prefix. */
      key_start: z.string(),
      /** The last four characters of the secret. */
      key_last4: z.string(),
      /** An origin that the key allows; null when the key allows any. */
      allowed_origin: z.nullable(z.string()),
    }),
  ),
  /** Whether a key was checked, and whether a check was accepted. */
  calls: z.enum(['none', 'refused', 'accepted']),
  /** Whether a tenant has a task. */
  has_task: z.boolean(),
  /** Address of ai-api, as admin-api calls it. */
  ai_api_url: z.url(),
})
export type FirstSteps = z.infer<typeof firstSteps>
