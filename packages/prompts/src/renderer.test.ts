import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type PromptVariables, TEMPLATE_MAX } from '@switchboard/contract/prompts'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { createLogger } from '@switchboard/server/process/log'
import { HOSTILE_TEMPLATES, SLOW_SEARCHES } from './testing/hostile-templates.ts'
import { createRenderer } from './renderer.ts'
import { TEMPLATE_INJECTIONS } from './testing/template-injections.ts'
import { timeMaxMs } from './testing/time-limit.ts'

const VALUES = {
  goal: 'book a table',
  current_heat_category_name: 'general',
  tenant_type: 'service',
  aggressiveness: 6.1,
  tenant_name: 'Harbor Inn',
  subdomain: 'harbor-inn',
} satisfies PromptVariables & Record<string, unknown>
/** Other tests share the machine, so the best attempt counts. */
const ATTEMPTS = 4
/** Two processes for templates have started after this time. */
const STARTED_MS = 500
const ENDLESS = HOSTILE_TEMPLATES['an array within itself, as text'] ?? ''
/** Longer than a template may have waited when another one comes. */
const WAIT_MS = 5_200

const renderer = createRenderer(createLogger('silent'))
afterAll(() => renderer.stop())
const render = (template: string, values: Partial<PromptVariables> = {}) =>
  renderer.render(template, { ...VALUES, ...values })
const textOf = async (template: string, values: Partial<PromptVariables> = {}) => {
  const rendering = await render(template, values)
  return rendering.ok ? rendering.text : rendering
}

/** Renders until an attempt is fast enough, up to `ATTEMPTS` times. */
async function bestOf(template: string) {
  let [rendering, ms] = [await render('{{ goal }}'), Number.POSITIVE_INFINITY]
  for (let n = 0; n < ATTEMPTS && ms >= timeMaxMs(); n += 1) {
    // After a kill, two processes start, and take the processors from the template.
    await setTimeout(n * STARTED_MS)
    const started = performance.now()
    rendering = await render(template)
    ms = performance.now() - started
  }
  return { rendering, ms }
}

describe('rendering', () => {
  test.for([
    ['{{ goal }}', 'book a table'],
    ['{{ "a\u0000b" }}', 'a\uFFFDb'],
    ['{{ "\\u0000" }}', '\uFFFD'],
    ['{{ "\\ud83d" }}', '\uFFFD'],
    ['{{ goal | upcase }}, {{ tenant_type }}', 'BOOK A TABLE, service'],
    ['{% if aggressiveness > 6 %}press{% else %}wait{% endif %}', 'press'],
    ['{{ current_heat_category_name }}', 'general'],
    ['{% for i in (1..3) %}{{ i }}{% endfor %}', '123'],
    ['{% assign parts = "a;b" | split: ";" %}{% for p in parts %}- {{ p }}\n{% endfor %}', '- a\n- b\n'],
    ['{% capture x %}<{{ goal }}>{% endcapture %}{{ x }}', '<book a table>'],
    ['{% comment %}not said{% endcomment %}{% raw %}{{ goal }}{% endraw %}', '{{ goal }}'],
    ['{{ nothing }}{{ nothing.at.all }}', ''],
    ['a\r\n\tb \u00a0\u200b\u2028 👩‍👩‍👧‍👦 \u202e', 'a\r\n\tb \u00a0\u200b\u2028 👩‍👩‍👧‍👦 \u202e'],
    ['{{ "2026-11-20T23:59:59Z" | date: "%A %H:%M" }}', 'Friday 23:59'],
  ])('%j gives %j', async ([template = '', text]) => {
    expect(await textOf(template)).toBe(text)
  })

  test('a value is text: a template in a value is not rendered', async () => {
    const goal = '{{ tenant_type }}{% if true %}x{% endif %}'
    expect(await textOf('{{ goal }}', { goal })).toBe(goal)
  })

  test('names its variables, each with its first position', async () => {
    const template =
      'Hi {{ goal }}\n{% assign own = 1 %}{{ own }} {{ gaol.x }}\n{% if __proto__ %}{{ gaol }}{% endif %}'
    expect(await render(template)).toMatchObject({
      variables: [
        { name: 'goal', line: 1, column: 7 },
        { name: 'gaol', line: 2, column: 34 },
        { name: '__proto__', line: 3, column: 7 },
      ],
    })
  })

  test('a template of 50,000 characters with 2,500 variables is rendered', async () => {
    const template = 'Be kind. {{ goal }}\n'.repeat(2_500)
    expect(template).toHaveLength(TEMPLATE_MAX)
    // A process that gets no processor for two seconds is given up, so the best attempt counts.
    await expect.poll(() => textOf(template)).toBe(template.replaceAll('{{ goal }}', VALUES.goal))
  })

  const wrong: [string, string, number, number][] = [
    ['Hello\n  {{ goal | shout }}', 'undefined filter: shout', 2, 3],
    ['{% if goal %}\nyes', 'tag {% if goal %} not closed', 1, 1],
    ['a\r\nb {% fro i in goal %}', 'tag "fro" not found', 2, 3],
    ['😀 {{ goal ', 'output "{{ goal " not closed', 1, 4],
    ['{{ }}', 'invalid value expression: ""', 1, 4],
    ['{% include "x" %}', 'tag "include" not found', 1, 1],
  ]
  test.for(wrong)('%j is refused with its position', async ([template, message, line, column]) => {
    expect(await render(template)).toEqual({ ok: false, message, line, column })
  })
})

describe('a hostile template is refused in time:', () => {
  test.for(Object.entries(HOSTILE_TEMPLATES))('%s', async ([, template]) => {
    expect(template.length).toBeLessThanOrEqual(TEMPLATE_MAX)
    const { rendering, ms } = await bestOf(template)
    expect(rendering.ok).toBe(false)
    expect(ms).toBeLessThan(timeMaxMs())
  })

  test.for(Object.entries(SLOW_SEARCHES))('or rendered in time: %s', async ([, template]) => {
    expect((await bestOf(template)).ms).toBeLessThan(timeMaxMs())
  })

  test('the process continues in the meantime, and renders the next template', async () => {
    await render('{{ goal }}')
    const delays: number[] = []
    const begun = performance.now()
    let before = begun
    const pulse = setInterval(() => {
      delays.push(performance.now() - before)
      before = performance.now()
    }, 5)
    const killed = render(ENDLESS)
    expect(await Promise.all([killed, textOf('{{ goal }}')])).toEqual([
      { ok: false, message: 'this takes too long to render', line: null, column: null },
      'book a table',
    ])
    clearInterval(pulse)
    expect(delays.length).toBeGreaterThan(10)
    // The median shows that the event loop was not blocked. On a busy machine both times are longer.
    const median = delays.toSorted((one, other) => one - other)[Math.floor(delays.length / 2)]
    expect(median).toBeLessThan((performance.now() - begun) / 10)
  })

  test('nothing remains for the next template', async () => {
    await render(
      '{% assign __proto__ = "x" %}{% assign goal = "mine" %}{% increment counter %}{% assign toString = 1 %}',
    )
    expect(await textOf('{{ goal }}{{ counter }}{{ x }}{{ toString }}')).toBe('book a table')
  })
})

describe('templates that come at once', () => {
  test('are all rendered, each with its own values', async () => {
    const goals = Array.from({ length: 2_000 }, (_, n) => `goal ${n}`)
    expect(await Promise.all(goals.map((goal) => textOf('{{ goal }}', { goal })))).toEqual(goals)
  })

  test('fail one by one', async () => {
    const templates = ['{{ goal }}', ENDLESS, '{{ goal | shout }}', ENDLESS, '{{ tenant_name }}']
    const tooLong = { ok: false, message: 'this takes too long to render', line: null, column: null }
    expect(await Promise.all(templates.map((template) => textOf(template)))).toEqual([
      'book a table',
      tooLong,
      { ok: false, message: 'undefined filter: shout', line: 1, column: 1 },
      tooLong,
      'Harbor Inn',
    ])
  })

  test('are refused at once when others have waited for long', async () => {
    const busy = createRenderer(createLogger('silent'))
    const answers = Promise.allSettled(Array.from({ length: 200 }, () => busy.render(ENDLESS, VALUES)))
    await setTimeout(WAIT_MS)
    await expect(busy.render('{{ goal }}', VALUES)).rejects.toMatchObject({
      statusCode: 503,
      message: 'Too many templates wait to be rendered.',
    })
    busy.stop()
    expect((await answers).at(-1)).toMatchObject({ status: 'rejected', reason: { statusCode: 503 } })
  })
})

test.for(TEMPLATE_INJECTIONS)('the injection %j reaches nothing', async (template) => {
  const rendering = await render(template)
  // Refused, or every tag of the injection is empty.
  if (rendering.ok) expect(rendering.text).toBe(template.replace(/\{\{.*?\}\}|\{%.*?%\}/gs, ''))
})

describe.skipIf(process.platform === 'win32')('a process that cannot be started', () => {
  /** A renderer on a Node that fails to start `failures` times, and its log lines. */
  const failingRenderer = (failures: number) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-renderer-'))
    // The process runs under another account.
    chmodSync(folder, 0o777)
    const node = path.join(folder, 'node')
    const fail = `if mkdir "$0.$n" 2>/dev/null; then echo "out of handles" >&2; exit 9; fi`
    const numbers = Array.from({ length: failures }, (_, n) => n).join(' ')
    writeFileSync(node, `#!/bin/sh\nfor n in ${numbers}; do ${fail}; done\nexec "${process.execPath}" "$@"\n`)
    chmodSync(node, 0o755)
    const given = process.execPath
    process.execPath = node
    const lines: string[] = []
    const failing = createRenderer(createLogger('error', { write: (line) => void lines.push(line) }))
    onTestFinished(() => {
      failing.stop()
      process.execPath = given
      rmSync(folder, { recursive: true, maxRetries: 3 })
    })
    return { failing, lines }
  }

  test('is replaced by a second process, and the log says why', async () => {
    const { failing, lines } = failingRenderer(1)
    expect(await failing.render('Go: {{ goal }}', VALUES)).toMatchObject({ ok: true, text: 'Go: book a table' })
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { msg: 'the process that renders templates could not be started', reason: 'out of handles' },
    ])
  })

  test('twice is answered with 503, and the next template tries again', async () => {
    const { failing } = failingRenderer(2)
    await expect(failing.render('Go: {{ goal }}', VALUES)).rejects.toMatchObject({
      statusCode: 503,
      message: 'Templates cannot be rendered at the moment. Try again in a moment.',
    })
    expect(await failing.render('Go: {{ goal }}', VALUES)).toMatchObject({ ok: true, text: 'Go: book a table' })
  })
})
