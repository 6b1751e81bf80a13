import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { RENDERED_MAX, TEMPLATE_MAX, variableUse } from '@switchboard/contract/prompts'
import { accountOfChild } from '@switchboard/server/process/drop-root'
import { unavailable } from '@switchboard/server/http/errors'
import type { Log } from '@switchboard/server/process/log'
import * as z from 'zod/mini'
import type { Job, LiquidLimits, Rendering } from './render-template.ts'

const LIMITS: LiquidLimits = { template: TEMPLATE_MAX, memory: 1_000_000, output: RENDERED_MAX }
/** Limit of CPU time for a batch, and of elapsed time on a machine too busy to give the process that CPU time. */
const DEADLINE_MS = 200
const DEADLINE_IF_BUSY_MS = 2_000
/** Interval of the checks after the deadline on a busy machine. */
const CHECK_EVERY_MS = 20
/** Maximum number of batches rendered at once. Each needs a process of 60 MB. */
const AT_ONCE_MAX = 4
const AT_ONCE = Math.min(AT_ONCE_MAX, availableParallelism())
/** Templates that wait together go to a process in one batch, with as many characters as one template may have. */
const BATCH_MAX = 32
const BATCH_CHARACTERS_MAX = TEMPLATE_MAX
/** How long the next template may have waited, in milliseconds. Further ones would wait longer than their callers do. */
const WAIT_MAX_MS = 5_000

/** Attempts to start a process for a template. */
const STARTS_MAX = 2
/** Maximum length of the kept output of a process, in characters. */
const OUTPUT_MAX = 2_000

const TOO_LONG = 'this takes too long to render'
const TOO_MUCH = 'this needs too much memory'

/** The process runs untrusted templates, so its answers are parsed like any other input. */
const rendering = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    text: z.string().check(z.maxLength(RENDERED_MAX)),
    variables: z.array(variableUse),
  }),
  z.object({ ok: z.literal(false), message: z.string(), line: z.nullable(z.int()), column: z.nullable(z.int()) }),
])

export type Renderer = ReturnType<typeof createRenderer>

/**
 * Renders templates, for previews and assistants, in child processes: as many batches at once as the machine has
 * processors, up to `AT_ONCE_MAX`. The first template starts two processes; further ones start when batches come at once.
 * All run until `stop`. See docs/decisions/0010-templates-in-a-process-of-their-own.md.
 */
export function createRenderer(log: Pick<Log, 'error'>) {
  const waiting: Waiting[] = []
  let running = 0
  /** The processes without a batch; the last one rendered most recently. */
  const idle: RenderProcess[] = []
  const busy = new Set<RenderProcess>()
  let isStopped = false

  const reportFailure = (reason: string) =>
    log.error({ reason }, 'the process that renders templates could not be started')

  function start(): RenderProcess | undefined {
    try {
      return startProcess()
    } catch (error) {
      // For example, the machine has no memory left.
      reportFailure(String(error))
      return undefined
    }
  }

  /** An idle process that is alive, or a new one. */
  function take(): RenderProcess | undefined {
    let taken = idle.pop()
    while (taken?.isAlive() === false) taken = idle.pop()
    return taken ?? start()
  }

  async function run(jobs: Job[]): Promise<Rendering[] | { killed: string }> {
    for (let tries = 1; tries <= STARTS_MAX; tries += 1) {
      const taken = isStopped ? undefined : take()
      if (taken === undefined) continue
      busy.add(taken)
      const result = await taken.run(jobs)
      busy.delete(taken)
      if (taken.isAlive()) idle.push(taken)
      if (!('notStarted' in result)) return result
      reportFailure(result.notStarted)
    }
    throw unavailable('Templates cannot be rendered at the moment. Try again in a moment.')
  }

  async function renderBatch(batch: Waiting[]): Promise<void> {
    try {
      const renderings = await run(batch.map(({ job }) => job))
      if (!('killed' in renderings)) renderings.forEach((each, n) => batch[n]?.resolve(each))
      // One of the templates is hostile.
      else if (batch.length > 1) waiting.unshift(...batch.map((each) => ({ ...each, isAlone: true })))
      else batch[0]?.resolve({ ok: false, message: renderings.killed, line: null, column: null })
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  async function renderWaiting(): Promise<void> {
    running += 1
    // The templates of this turn of the event loop come together.
    await setImmediate()
    for (let batch = nextBatch(waiting); batch.length > 0; batch = nextBatch(waiting)) {
      await renderBatch(batch)
      // A start takes as long as a template, so the other process takes the next template after a kill.
      const spare = !isStopped && idle.length + busy.size < 2 ? start() : undefined
      if (spare !== undefined) idle.unshift(spare)
    }
    running -= 1
  }

  return {
    /**
     * Takes up to 250 ms on an idle machine, after the templates before it. Throws 503 if the templates before it wait for
     * too long, or no process starts.
     */
    async render(template: string, variables: Job['variables']): Promise<Rendering> {
      const askedAt = performance.now()
      if (askedAt - (waiting[0]?.askedAt ?? askedAt) > WAIT_MAX_MS)
        throw unavailable('Too many templates wait to be rendered.')
      const { promise, resolve, reject } = Promise.withResolvers<Rendering>()
      waiting.push({ job: { template, variables }, askedAt, isAlone: false, resolve, reject })
      if (running < AT_ONCE) void renderWaiting()
      return await promise
    },
    stop(): void {
      isStopped = true
      for (const each of [...idle, ...busy]) each.kill()
    },
  }
}

/** `isAlone` after a batch whose process was killed. */
type Waiting = Omit<PromiseWithResolvers<Rendering>, 'promise'> & { job: Job; askedAt: number; isAlone: boolean }

/** Takes the templates that have waited longest. */
function nextBatch(waiting: Waiting[]): Waiting[] {
  let characters = 0
  const isFull = ({ job, isAlone }: Waiting, n: number) => {
    characters += job.template.length
    return n > 0 && (isAlone || waiting[0]?.isAlone || n === BATCH_MAX || characters > BATCH_CHARACTERS_MAX)
  }
  const end = waiting.findIndex(isFull)
  return waiting.splice(0, end === -1 ? waiting.length : end)
}

type RenderProcess = ReturnType<typeof startProcess>

function startProcess() {
  const script = path.join(import.meta.dirname, 'render-process.ts')
  // The package folder: the entry point is in `dist/`.
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
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const reason = reasonOfEnd(child)
  const ready = nextMessage(child)

  return {
    isAlive: () => child.connected && !child.killed && child.exitCode === null && child.signalCode === null,
    kill: () => void child.kill('SIGKILL'),

    /** The renderings, or the reason why the process did not start or was killed. */
    async run(jobs: Job[]): Promise<Rendering[] | { notStarted: string } | { killed: string }> {
      if ((await ready) === ENDED) return { notStarted: await reason() }
      const deadline = killAtDeadline(child)
      const answered = nextMessage(child)
      child.send(jobs)
      // A killed process takes up to 50 ms to end.
      const message = await Promise.race([answered, deadline.killed])
      deadline.cancel()
      if (message !== ENDED) return z.array(rendering).check(z.length(jobs.length)).parse(message)
      return { killed: child.killed ? TOO_LONG : TOO_MUCH }
    },
  }
}

/**
 * Returns a function that resolves to the reason why a process ended: its failed start, its last output, or its exit
 * code.
 */
function reasonOfEnd(child: ChildProcess): () => Promise<string> {
  let output = ''
  child.stderr?.on('data', (chunk) => (output = `${output}${chunk}`.slice(-OUTPUT_MAX)))
  const { promise: ended, resolve } = Promise.withResolvers<string>()
  child.once('error', (error) => resolve(error.message))
  child.once('close', (code, signal) => resolve(output.trim() || `it ended with ${signal ?? code}`))
  return () => ended
}

/** Kills the process when its CPU time exceeds the deadline. `killed` resolves at once; `cancel` stops the checks. */
function killAtDeadline(child: ChildProcess) {
  const { promise: killed, resolve } = Promise.withResolvers<typeof ENDED>()
  const startedAt = performance.now()
  const cpuBefore = cpuMs(child)
  const check = () => {
    const isStarved = cpuMs(child) - cpuBefore < DEADLINE_MS * 0.8
    if (isStarved && performance.now() - startedAt < DEADLINE_IF_BUSY_MS) timer = setTimeout(check, CHECK_EVERY_MS)
    else {
      child.kill('SIGKILL')
      resolve(ENDED)
    }
  }
  let timer = setTimeout(check, DEADLINE_MS)
  return { killed, cancel: () => clearTimeout(timer) }
}

/**
 * CPU time of the main thread of a process in milliseconds, without threads of V8 such as its compiler. From proc(5),
 * utime and stime in hundredths of a second; NaN on systems other than Linux.
 */
function cpuMs({ pid }: ChildProcess): number {
  if (process.platform !== 'linux') return Number.NaN
  try {
    const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8')
    const [, , , , , , , , , , , user, system] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(user) + Number(system)) * 10
  } catch {
    // The process has just ended.
    return Number.NaN
  }
}

const ENDED = Symbol('ended')

/** The next message of the process, or `ENDED`. */
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
