import { connect } from '@switchboard/database/connection/connect'
import { expect, onTestFinished, test } from 'vitest'
import { createApp } from '#src/http/app.ts'
import { createLogger } from './log.ts'
import { VERSION } from '#src/settings/version.ts'

/** A log that records its lines. */
function recordedLog(level = 'info') {
  const recorded: string[] = []
  const log = createLogger(level, { write: (line) => void recorded.push(line) }, 'ai-api')
  return { log, lines: (): Record<string, unknown>[] => recorded.map((line) => JSON.parse(line)) }
}

test('every line names the server and its version, also in child loggers', () => {
  const { log, lines } = recordedLog()
  log.info('one')
  log.child({ req_id: 'x' }).warn('two')
  expect(lines()).toMatchObject([
    { server: 'ai-api', version: VERSION, msg: 'one' },
    { server: 'ai-api', version: VERSION, msg: 'two' },
  ])
})

const thrown: [string, unknown, object][] = [
  ['an error', Object.assign(new TypeError('no'), { code: 'E1' }), { name: 'TypeError', message: 'no', code: 'E1' }],
  [
    'a plain object, as pg-boss emits it',
    {
      message: 'lost',
      stack: 'Error: lost',
      code: '57P01',
      queue: 'run-task',
      worker: 'w1',
      client: { password: 'x' },
    },
    { message: 'lost', stack: 'Error: lost', code: '57P01', queue: 'run-task', worker: 'w1' },
  ],
  ['a text', 'gone', { message: 'gone' }],
  ['nothing', null, { message: 'null' }],
]
test.for(thrown)('%s is logged by its texts', ([, err, expected]) => {
  const { log, lines } = recordedLog()
  log.error({ err }, 'broken')
  expect(lines()[0]?.['err']).toMatchObject(expected)
  expect(JSON.stringify(lines())).not.toMatch(/object Object|password/)
})

test('a successful probe is a line at debug, a failed probe a line at info', async () => {
  const { log, lines } = recordedLog('debug')
  const db = connect('postgres://nobody@127.0.0.1:1/nothing')
  const app = await createApp({ title: 'Test', db, log, trustProxy: false })
  onTestFinished(async () => {
    await app.close()
    await db.destroy()
  })
  await app.inject('/healthz')
  await app.inject('/readyz')
  expect(lines().filter(({ msg }) => msg === 'request')).toMatchObject([
    { level: 'debug', route: '/healthz', status: 200 },
    { level: 'info', route: '/readyz', status: 503 },
  ])
})
