import { CaptureTag, type Context, Liquid, LiquidError, Token } from 'liquidjs'

/** What a template may use up. `memory` and `output` are in characters, counted as LiquidJS counts them. */
export type LiquidLimits = { template: number; ms: number; memory: number; output: number }

/** A template rendered, with the variables that it takes from outside; or why not, and where if that is known. */
export type Rendering =
  | { ok: true; text: string; variables: { name: string; line: number; column: number }[] }
  | { ok: false; message: string; line: number | null; column: number | null }

/** There are no other templates to reach for. */
const TAGS_OFF = ['include', 'render', 'layout', 'block']
/** These evaluate an expression for every item, without looking at the clock. */
const FILTERS_OFF = ['where_exp', 'reject_exp', 'group_by_exp', 'has_exp', 'find_exp', 'find_index_exp']

/** LiquidJS's words for its limits, and JavaScript's, in ours. */
const SENTENCES: readonly [RegExp, string][] = [
  [/^template render limit exceeded/, 'this takes too long to render'],
  [/^memory alloc limit exceeded|^Invalid (string|array) length/, 'this makes too much text'],
  [/^Class constructor/, 'this is not a variable'],
  [/^Maximum call stack size exceeded/, 'the tags are nested too deeply'],
]
const MESSAGE_MAX = 200

/** LiquidJS does not count what `capture` keeps, so it could double a text forty times. */
class CountedCaptureTag extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    yield* super.render(context)
    context.memoryLimit.use(String(Reflect.get(context.bottom(), this.variable)).length)
  }
}

/** LiquidJS counts lines from the beginning for every variable: half a second for a long template full of them. */
let known = { input: '', lineStarts: [0] }
Token.prototype.getPosition = function positionOf(): [line: number, column: number] {
  if (known.input !== this.input) {
    const breaks = [...this.input.matchAll(/\n/g)]
    known = { input: this.input, lineStarts: [0, ...breaks.map(({ index }) => index + 1)] }
  }
  let [line, next] = [0, known.lineStarts.length]
  while (next - line > 1) {
    const middle = (line + next) >>> 1
    if ((known.lineStarts[middle] ?? 0) <= this.begin) line = middle
    else next = middle
  }
  return [line + 1, this.begin - (known.lineStarts[line] ?? 0) + 1]
}

/**
 * Makes the engine: no files, no prototypes, unknown tags and filters refused, the same result on every machine. Its
 * limits hold as long as LiquidJS looks at them; `renderer.ts` is for when it does not.
 */
export function createLiquid(limits: LiquidLimits): (template: string, variables: object) => Rendering {
  const liquid = new Liquid({
    templates: {},
    ownPropertyOnly: true,
    strictFilters: true,
    timezoneOffset: 0,
    locale: 'en-US',
    parseLimit: limits.template,
    renderLimit: limits.ms,
    memoryLimit: limits.memory,
  })
  for (const tag of TAGS_OFF) delete liquid.tags[tag]
  for (const filter of FILTERS_OFF) liquid.unregisterFilter(filter)
  liquid.registerTag('capture', CountedCaptureTag)

  return (template, variables) => {
    try {
      const parsed = liquid.parse(template)
      const text = storable(liquid.renderSync(parsed, variables))
      if (text.length > limits.output) return refusal(`the result is longer than ${limits.output} characters`)
      const { globals } = liquid.analyzeSync(parsed, { partials: false })
      return {
        ok: true,
        text,
        variables: Object.entries(globals).map(([name, uses]) => ({
          name: name.slice(0, MESSAGE_MAX),
          line: uses[0]?.location.row ?? 1,
          column: uses[0]?.location.col ?? 1,
        })),
      }
    } catch (error) {
      return refusalOf(error)
    }
  }
}

/** A filter may cut a character in half, and a template may write NUL: neither can be stored. */
function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed()
}

function refusalOf(error: unknown): Rendering {
  const words = error instanceof Error ? error.message.replace(/, line:\d+, col:\d+$/, '') : String(error)
  const message = SENTENCES.find(([pattern]) => pattern.test(words))?.[1] ?? words.slice(0, MESSAGE_MAX)
  if (!LiquidError.is(error)) return refusal(message)
  const [line = null, column = null] = error.token.getPosition()
  return { ok: false, message, line, column }
}

function refusal(message: string): Rendering {
  return { ok: false, message, line: null, column: null }
}
