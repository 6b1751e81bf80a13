import type * as z from 'zod/mini'
import type { Capability } from '#src/auth/capabilities.ts'
import type { Confirmed } from '#src/auth/confirmed.ts'
import type { LimitedCall } from '#src/auth/rate-limits.ts'
import { errorResponses } from './errors.ts'

/** What an endpoint demands of its caller and of the server. Fastify's routes have the same keys. */
export type EndpointConfig = {
  /** One of the few calls without a session. Every other call needs one of a role with `capability`. */
  public?: true
  capability?: Capability
  /** Needs an API key of a tenant instead of a session. */
  apiKey?: true
  /** Changes nothing though the method is not GET, so its refusals are not audited. */
  reads?: true
  /** Answers every other HTTP method in the same way, without reading the body. */
  anyMethod?: true
  /** A sensitive call: the person must have signed in or confirmed within `CONFIRMED_MINUTES`, always or in the given cases. */
  confirmed?: Confirmed
  /**
   * The kind of call in the rate limits of a session: by default a change; `none` for sign-out. Pages of a `whole_list`
   * are not counted.
   */
  limit?: LimitedCall | 'none'
  /** Open to an account without a required second factor. */
  unenrolled?: true
  /** The console sends its cookies. */
  cookie?: true
  /** A call about the caller's account that every service token with a scope of admin-api may make. */
  token?: true
}

/**
 * An endpoint of the contract. A server spreads the object into `app.route({ ...endpoint, handler })`: types the
 * handler, parses requests and strips undeclared keys from answers. The console calls the endpoint through the same
 * object.
 */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path with `:name` parameters, from the root of the server. `*` at its end matches any path. */
  url: string
  config?: EndpointConfig
  schema: {
    /** `noun.verb`; also the action's name in the audit log. */
    operationId: string
    summary: string
    /** Description in openapi.json; by default, the doc comment of the endpoint. */
    description?: string
    tags: string[]
    /** Media types of the request body, where JSON is not the only one. */
    consumes?: string[]
    /** Media types of the answer, where it is not JSON. */
    produces?: string[]
    /** Leaves the call out of openapi.json, because OpenAPI cannot describe the call, or because only browsers make it. */
    hide?: true
    params?: z.core.$ZodType
    querystring?: z.core.$ZodType
    headers?: z.core.$ZodType
    body?: z.core.$ZodType
    response: Record<number | string, z.core.$ZodType>
  }
}

/** Describes an endpoint by its method, its URL, its schema and its config. Adds the error answers of every endpoint. */
export function endpoint<
  Url extends string,
  Answers extends Endpoint['schema']['response'],
  Schema extends Omit<Endpoint['schema'], 'response'>,
>(
  method: Endpoint['method'],
  url: Url,
  { config = {}, response, ...schema }: Schema & { config?: EndpointConfig; response: Answers },
) {
  return { method, url, config, schema: { ...schema, response: { ...response, ...errorResponses } } }
}
