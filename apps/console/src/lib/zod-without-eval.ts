import type { $ZodConfig } from 'zod/v4/core'

declare global {
  // oxlint-disable-next-line no-underscore-dangle -- zod's name
  var __zod_globalConfig: Partial<$ZodConfig> | undefined
}

// zod would compile its parsers with `new Function`, which the browser policy forbids, and it tries when the first
// schema is made. It takes its settings from here if they are there before it is loaded; calling its `config` instead
// would load it before anybody has signed in.
// oxlint-disable-next-line no-underscore-dangle -- zod's name
globalThis.__zod_globalConfig = { jitless: true }
