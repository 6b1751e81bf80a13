import { expect, test } from 'vitest'
import { passedSockets } from './passed-sockets.ts'

const env = { LISTEN_PID: '41', LISTEN_FDS: '2', LISTEN_FDNAMES: 'PORT:AI_PORT' }

test('passed sockets are found by the variable of their port', () => {
  expect([...passedSockets(env, 41)]).toEqual([
    ['PORT', 3],
    ['AI_PORT', 4],
  ])
})

test.for<[string, NodeJS.ProcessEnv]>([
  ['for another process', { ...env, LISTEN_PID: '40' }],
  ['without a process', { LISTEN_FDS: '1', LISTEN_FDNAMES: 'PORT' }],
  ['without a number', { ...env, LISTEN_FDS: undefined }],
])('sockets %s are ignored', ([, other]) => {
  expect(passedSockets(other, 41).size).toBe(0)
})
