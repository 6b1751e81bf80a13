import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createLogger } from './log.ts'
import { comparison } from './machine-clock.ts'

test('a clock that begins to differ is logged once, and once when it agrees again', () => {
  const texts: string[] = []
  const lines = new Writable({
    write: (line, _encoding, done) => {
      texts.push(JSON.parse(String(line)).msg)
      done()
    },
  })
  let behind = 0
  const compare = comparison(createLogger('info', lines), () => new Date(Date.now() + behind * 1_000))
  for (behind of [0, 4, 60, 61, -4, -30]) compare()
  expect(texts).toEqual([
    "The clock of this machine is 60 s behind the database's. Synchronize both clocks (NTP).",
    "The clock of this machine agrees with the database's again.",
    "The clock of this machine is 30 s ahead of the database's. Synchronize both clocks (NTP).",
  ])
})
