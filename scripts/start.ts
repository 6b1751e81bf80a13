import { readSettings } from '@switchboard/server/settings/env'
import { serve } from '@switchboard/server/process/serve'
import { startProduct } from './product.ts'

// Starts the whole product in one process: PostgreSQL unless DATABASE_URL is set, both APIs and the console.

serve(async (lifecycle) => await startProduct(lifecycle, readSettings()))
