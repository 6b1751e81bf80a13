import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type PromptVariables, RENDERED_MAX, TEMPLATE_MAX, variableUse } from '@switchboard/contract/prompts'
import { accountOfChild } from '@switchboard/server/process/drop-root'
import { unavailable } from '@switchboard/server/http/errors'
import pLimit from 'p-limit'
import * as z from 'zod/mini'
import type { LiquidLimits, Rendering } from './liquid.ts'

/** What LiquidJS is told to keep to. It says where a template went too far, but it does not look everywhere. */
const LIMITS: LiquidLimits = { template: TEMPLATE_MAX, ms: 110, memory: 1_000_000, output: RENDERED_MAX }
/** The process is killed when it has worked for so long on one template, and after so long in any case. */
const DEADLINE_MS = 200
const DEADLINE_IF_BUSY_MS = 2_000
/** How often it is looked at after the deadline, on a machine too busy to let it work. */
const LOOK_MS = 20
/** More than these would wait longer than callers do. */
const WAITING_MAX = 100

const TOO_LONG = 'this takes too long to render'
const TOO_MUCH = 'this needs too much memory'

/** Answers come from a process that runs what strangers may have written: they are read like any other input. */
const answer = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    text: z.string().check(z.maxLength(RENDERED_MAX)),
    variables: z.array(variableUse),
  }),
  z.object({ ok: z.literal(false), message: z.string(), line: z.nullable(z.int()), column: z.nullable(z.int()) }),
])

export type Renderer = ReturnType<typeof createRenderer>

/**
 * Renders templates, for preview and for assistants alike, in a process of their own: the first one starts it, and it
 * stays until `stop`, with a spare beside it. See docs/decisions/0010-templates-in-a-process-of-their-own.md.
 */
export function createRenderer() {
  const oneAtATime = pLimit(1)
  let working: RenderProcess | undefined
  let spare: RenderProcess | undefined
  let isStopped = false

  function replaceWorking(): void {
    working = spare?.isAlive() ? spare : undefined
    spare = undefined
  }

  return {
    /** Takes a quarter of a second at most once its turn has come, on a machine with time for it. Throws 503 when too many wait. */
    async render(template: string, variables: PromptVariables): Promise<Rendering> {
      if (oneAtATime.pendingCount >= WAITING_MAX) throw unavailable('Too many templates wait to be rendered.')
      return await oneAtATime(async () => {
        if (!working?.isAlive()) replaceWorking()
        working ??= startProcess()
        const rendering = await working.run({ template, variables })
        // Starting takes as long as a template may: whoever comes after one that was killed need not wait for it.
        if (!working.isAlive()) replaceWorking()
        if (!isStopped) spare ??= startProcess()
        return rendering
      })
    },
    stop(): void {
      isStopped = true
      working?.kill()
      spare?.kill()
    },
  }
}

type RenderProcess = ReturnType<typeof startProcess>

function startProcess() {
  const script = path.join(import.meta.dirname, 'render-process.ts')
  // Up from `dist/`.
  const liquid = path.resolve(fileURLToPath(import.meta.resolve('liquidjs')), '../..')
  const child = fork(script, [JSON.stringify(LIMITS)], {
    ...accountOfChild(),
    env: {},
    execArgv: [
      '--permission',
      `--allow-fs-read=${path.join(import.meta.dirname, '*')}`,
      `--allow-fs-read=${path.join(liquid, '*')}`,
      '--disallow-code-generation-from-strings',
      '--max-old-space-size=64',
      '--max-semi-space-size=4',
    ],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const ready = nextMessage(child)

  return {
    isAlive: () => child.connected && !child.killed && child.exitCode === null && child.signalCode === null,
    kill: () => void child.kill('SIGKILL'),

    /** Rejects when the process could not start: that is no fault of the template. */
    async run(job: { template: string; variables: PromptVariables }): Promise<Rendering> {
      if ((await ready) === ENDED) throw new Error('The process that renders templates could not be started.')
      const late = killWhenLate(child)
      const answered = nextMessage(child)
      child.send(job)
      // A process takes up to 50 ms to die: nobody waits for that.
      const message = await Promise.race([answered, late.killed])
      late.callOff()
      if (message !== ENDED) return answer.parse(message)
      return { ok: false, message: child.killed ? TOO_LONG : TOO_MUCH, line: null, column: null }
    },
  }
}

/** Kills the process when it has worked too long; `killed` tells at once, `callOff` ends the watch. */
function killWhenLate(child: ChildProcess) {
  const { promise: killed, resolve } = Promise.withResolvers<typeof ENDED>()
  const startedAt = performance.now()
  const workedBefore = workedMs(child)
  const look = () => {
    const isStarved = workedMs(child) - workedBefore < DEADLINE_MS * 0.8
    if (isStarved && performance.now() - startedAt < DEADLINE_IF_BUSY_MS) timer = setTimeout(look, LOOK_MS)
    else {
      child.kill('SIGKILL')
      resolve(ENDED)
    }
  }
  let timer = setTimeout(look, DEADLINE_MS)
  return { killed, callOff: () => clearTimeout(timer) }
}

/**
 * How long the main thread of a process has worked, in ms: Linux tells (proc(5), utime and stime in hundredths of a
 * second). What others do for it, such as compiling, is no work of the template. Elsewhere NaN.
 */
function workedMs({ pid }: ChildProcess): number {
  if (process.platform !== 'linux') return Number.NaN
  try {
    const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8')
    const [, , , , , , , , , , , user, system] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(user) + Number(system)) * 10
  } catch {
    // It has just ended.
    return Number.NaN
  }
}

const ENDED = Symbol('ended')

/** What the process says next, or that it ends without a word. */
async function nextMessage(child: ChildProcess): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const end = () => resolve(ENDED)
  child.once('message', resolve).once('exit', end).once('error', end)
  try {
    return await promise
  } finally {
    child.off('message', resolve).off('exit', end).off('error', end)
  }
}
