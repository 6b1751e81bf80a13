import type * as z from 'zod/mini'

/**
 * One call of the contract. A server spreads it into `app.route({ ...endpoint, handler })`, which types the handler,
 * parses what comes in and strips undeclared keys from what goes out; the console calls it by the same object.
 */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path with `:name` parameters, from the root of the server. `*` at its end stands for any path. */
  url: string
  /**
   * `public` marks the few calls that anybody may make; every other one needs a session. `apiKey` marks those that need an
   * API key of a tenant instead. `reads` marks those that change nothing though they are no GET. `anyMethod` marks those
   * that answer every other HTTP method in the same way, and whose body is not read.
   */
  config?: { public?: true; apiKey?: true; reads?: true; anyMethod?: true }
  schema: {
    /** `noun.verb`; also the action's name in the audit log. */
    operationId: string
    summary: string
    tags: string[]
    /** Media types of the answer, where it is not JSON. */
    produces?: string[]
    /** Left out of openapi.json, which cannot describe it. */
    hide?: true
    params?: z.core.$ZodType
    querystring?: z.core.$ZodType
    headers?: z.core.$ZodType
    body?: z.core.$ZodType
    response: Record<number | string, z.core.$ZodType>
  }
}
