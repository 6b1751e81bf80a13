import { CaptureTag, type Context, Liquid, LiquidError, Output, type Template } from 'liquidjs'

/** A template and the values of its variables, by name. */
export type Job = { template: string; variables: Readonly<Record<string, string | number>> }

/** Limits of a template, in characters. LiquidJS counts `memory` as it creates strings and arrays. */
export type LiquidLimits = { template: number; memory: number; output: number }

/** A rendered template and its global variables, or the error and its position where LiquidJS reports one. */
export type Rendering =
  | { ok: true; text: string; variables: { name: string; line: number; column: number }[] }
  | { ok: false; message: string; line: number | null; column: number | null }

/** These tags load other templates. */
const TAGS_OFF = ['include', 'render', 'layout', 'block']
/** These filters evaluate an expression for every item of a list, without a limit. */
const FILTERS_OFF = ['where_exp', 'reject_exp', 'group_by_exp', 'has_exp', 'find_exp', 'find_index_exp']

/** Messages of LiquidJS and V8, and the sentence to show instead. */
const SENTENCES: readonly [RegExp, string][] = [
  [/^memory alloc limit exceeded|^Invalid (string|array) length/, 'this makes too much text'],
  [/^Class constructor/, 'this is not a variable'],
  [/^Maximum call stack size exceeded/, 'the tags are nested too deeply'],
]
const MESSAGE_MAX = 200

/** LiquidJS does not count captured text, so `capture` could double a text forty times. */
class CountedCaptureTag extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    yield* super.render(context)
    context.memoryLimit.use(String(Reflect.get(context.bottom(), this.variable)).length)
  }
}

/**
 * Creates the template engine: no files, no inherited properties, unknown tags and filters refused, the same output on
 * every machine. LiquidJS does not check its limits everywhere, so `renderer.ts` also limits time and memory.
 */
export function createLiquid(limits: LiquidLimits): (jobs: readonly Job[]) => Rendering[] {
  const liquid = new Liquid({
    templates: {},
    ownPropertyOnly: true,
    strictFilters: true,
    timezoneOffset: 0,
    locale: 'en-US',
    parseLimit: limits.template,
    memoryLimit: limits.memory,
  })
  for (const tag of TAGS_OFF) delete liquid.tags[tag]
  for (const filter of FILTERS_OFF) liquid.unregisterFilter(filter)
  liquid.registerTag('capture', CountedCaptureTag)

  const parse = (template: string) => {
    const parsed = liquid.parse(template)
    const { globals } = liquid.analyzeSync(withoutRepeatedOutputs(parsed), { partials: false })
    const variables = Object.entries(globals).map(([name, uses]) => ({
      name: name.slice(0, MESSAGE_MAX),
      line: uses[0]?.location.row ?? 1,
      column: uses[0]?.location.col ?? 1,
    }))
    return { parsed, variables }
  }

  return (jobs) => {
    // Most tenants have the same template, and parsing takes longer than rendering.
    const known = new Map<string, ReturnType<typeof parse>>()
    return jobs.map(({ template, variables: values }) => {
      try {
        const { parsed, variables } = known.getOrInsertComputed(template, parse)
        const text = storable(liquid.renderSync(parsed, values))
        if (text.length > limits.output) return refusal(`the result is longer than ${limits.output} characters`)
        return { ok: true, text, variables }
      } catch (error) {
        return refusalOf(error)
      }
    })
  }
}

/**
 * Drops every output that repeats an earlier one, such as a second `{{ goal }}`: it has no new variable. LiquidJS counts
 * lines from the start of the template for each variable, which takes 400 ms for 3,500 of them.
 */
function withoutRepeatedOutputs(templates: Template[]): Template[] {
  const seen = new Set<string>()
  return templates.filter((template) => {
    if (!(template instanceof Output)) return true
    const text = template.token.getText()
    if (seen.has(text)) return false
    seen.add(text)
    return true
  })
}

/** PostgreSQL stores no NUL and no lone surrogate; a filter may cut a surrogate pair in half. */
function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed()
}

function refusalOf(error: unknown): Rendering {
  const reason = error instanceof Error ? error.message.replace(/, line:\d+, col:\d+$/, '') : String(error)
  const message = SENTENCES.find(([pattern]) => pattern.test(reason))?.[1] ?? reason.slice(0, MESSAGE_MAX)
  if (!LiquidError.is(error)) return refusal(message)
  const [line = null, column = null] = error.token.getPosition()
  return { ok: false, message, line, column }
}

function refusal(message: string): Rendering {
  return { ok: false, message, line: null, column: null }
}
