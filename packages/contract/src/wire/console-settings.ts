import * as z from 'zod/mini'

/** Id of the JSON block in `index.html` through which admin-api tells the console what it must know. */
export const CONSOLE_SETTINGS_ID = 'console-settings'

/** What the console knows of the server's settings. Nothing here is secret. */
export const consoleSettings = z.object({
  brand_name: z.string(),
  platform_domain: z.string(),
  default_allowed_origin: z.string(),
  sample_maps: z.boolean(),
  version: z.string(),
})
export type ConsoleSettings = z.infer<typeof consoleSettings>

/** What stands in the built `index.html` where the server puts the settings. */
export const CONSOLE_SETTINGS_PLACEHOLDER = '__CONSOLE_SETTINGS__'
