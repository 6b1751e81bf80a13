import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { z } from 'zod'
import { answerFault, FAULTS, keyInvalid, step, type Step } from './faults.ts'
import { masked } from './field-mask.ts'
import { GoogleError, invalidArgument } from './google-error.ts'
import { samplePhoto } from './sample-photos.ts'
import { faultOf, samplePlace, searchSamples } from './sample-places.ts'

/** The target of a script for all searches; other targets are place ids and photos. */
const SEARCH_TARGET = 'searchText'

export type MapsEmulator = {
  /** Origin of the emulator. */
  url: string
  /**
   * Sets the course of the next calls for a place id, for an author photo (`sample-ada`), or for `searchText`: a step
   * per call, then success.
   */
  script(target: string, steps: readonly Step[]): void
  close(): Promise<void>
}

type EmulatorOptions = {
  now: () => Date
  /** The only valid key; without `apiKey` every key is valid. */
  apiKey?: string
  /** A free port by default. */
  port?: number
}

/**
 * Starts an emulator of Google Places API (New) on the loopback: text search and place details with Google's shapes,
 * headers, field masks and errors, over sample places that depend only on their id and the time; and of the photo host,
 * which needs no key. `PUT /emulator/scripts/{target}` with a list of steps is `script` for other processes. The place
 * id or photo `fault_{fault}`, such as `fault_quota_day`, always fails this way, and so does an id that contains a
 * fault.
 */
export async function startMapsEmulator({ now, apiKey, port = 0 }: EmulatorOptions): Promise<MapsEmulator> {
  const scripts = new Map<string, Step[]>()
  const script = (target: string, steps: readonly Step[]) => void scripts.set(target, [...steps])
  const nextStep = (target: string): Step => {
    const constant = FAULTS.find((fault) => target === `fault_${fault}`)
    return constant ?? faultOf(target) ?? scripts.get(target)?.shift() ?? 'ok'
  }
  const app = Fastify({ forceCloseConnections: true })
  app.setErrorHandler(answerError)
  app.put<{ Params: { target: string } }>('/emulator/scripts/:target', async (request, reply) => {
    script(request.params.target, z.array(step).parse(request.body))
    return reply.code(204).send()
  })
  await app.register(async (google) => {
    google.addHook('onRequest', async (request) => {
      const key = request.headers['x-goog-api-key']
      if (key === undefined) throw new GoogleError(403, 'PERMISSION_DENIED', UNREGISTERED)
      if (apiKey !== undefined && key !== apiKey) throw keyInvalid()
    })
    addSearch(google, { now, nextStep })
    addDetails(google, { now, nextStep })
  })
  addPhotos(app, nextStep)
  return { url: await app.listen({ host: '127.0.0.1', port }), script, close: () => app.close() }
}

type Scripted = { now: () => Date; nextStep: (target: string) => Step }

function addSearch(app: FastifyInstance, { now, nextStep }: Scripted): void {
  app.post('/v1/places::searchText', async (request, reply) =>
    runStep(nextStep(SEARCH_TARGET), reply, () => {
      const { success, data, error } = searchBody.safeParse(request.body)
      if (!success) throw invalidArgument(`Invalid JSON payload received. ${z.prettifyError(error)}`)
      const mask = fieldMask(request)
      const places = searchSamples(data.textQuery, data.regionCode ?? 'US').slice(0, data.pageSize)
      // Google refuses a wrong mask even without a result.
      masked({}, mask, 'places.')
      return places.length === 0 ? {} : { places: places.map((id) => masked(samplePlace(id, now()), mask, 'places.')) }
    }),
  )
}

function addDetails(app: FastifyInstance, { now, nextStep }: Scripted): void {
  app.get<{ Params: { id: string } }>('/v1/places/:id', async (request, reply) => {
    const { id } = request.params
    return await runStep(nextStep(id), reply, () => {
      const mask = fieldMask(request)
      return masked(samplePlace(id, now()), mask)
    })
  })
}

function addPhotos(app: FastifyInstance, nextStep: Scripted['nextStep']): void {
  app.get<{ Params: { photo: string } }>('/a/:photo', async (request, reply) => {
    if (request.headers['x-goog-api-key'] !== undefined) throw invalidArgument('The photo host takes no key.')
    // The size follows the sign.
    const [id = ''] = request.params.photo.split('=')
    return await runStep(nextStep(id), reply, () => reply.type('image/png').send(samplePhoto(id)))
  })
}

const searchBody = z.strictObject({
  textQuery: z.string().min(1),
  languageCode: z.string().optional(),
  regionCode: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  pageSize: z.int().min(1).max(20).default(20),
  includePureServiceAreaBusinesses: z.boolean().optional(),
})

async function runStep(given: Step, reply: FastifyReply, answer: () => object): Promise<object> {
  const { fault, retry_after } = typeof given === 'string' ? { fault: given, retry_after: undefined } : given
  if (retry_after !== undefined) reply.header('retry-after', retry_after)
  return fault === 'ok' ? answer() : await answerFault(fault, reply)
}

function fieldMask({ headers }: FastifyRequest): string | undefined {
  return [headers['x-goog-fieldmask']].flat()[0]
}

function answerError(error: unknown, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const googleError = error instanceof GoogleError ? error : unreadable(error)
  return reply.code(googleError.code).send(googleError.body)
}

function unreadable(error: unknown): GoogleError {
  const isCallers = error instanceof z.ZodError || (error instanceof Error && 'statusCode' in error)
  return isCallers
    ? invalidArgument(error.message)
    : new GoogleError(500, 'INTERNAL', `The emulator broke: ${String(error)}`)
}

const UNREGISTERED =
  "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API."
