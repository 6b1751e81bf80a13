import * as z from 'zod/mini'
import { COMMAND_RUNNERS } from './command-line.ts'

/** The server's settings in the console. No secrets. */
export const consoleSettings = z.object({
  brand_name: z.string(),
  platform_domain: z.string(),
  default_allowed_origin: z.string(),
  sample_maps: z.boolean(),
  /** Whether the server sends mail. */
  mail: z.boolean(),
  version: z.string(),
  command_runner: z.enum(COMMAND_RUNNERS),
  /** How people sign in: by password, also by single sign-on, or by single sign-on with few exceptions. */
  sign_in: z.enum(['password', 'both', 'sso']),
})
export type ConsoleSettings = z.infer<typeof consoleSettings>

/** Placeholder in the built `index.html`; the server replaces the placeholder with the settings. */
export const CONSOLE_SETTINGS_PLACEHOLDER = '__CONSOLE_SETTINGS__'
