import { readSettings } from '@switchboard/server/env'
import { serve } from '@switchboard/server/serve'
import { startProduct } from './product.ts'

// Starts the whole product in one process: PostgreSQL unless DATABASE_URL names one, both APIs and the console.

serve(async (life) => await startProduct(life, readSettings()))
