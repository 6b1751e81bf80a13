import { expect, test } from 'vitest'
import { rememberNetwork, runInTurn } from './sign-in-queue.ts'
import { siteOf } from './throttle.ts'

test.for([
  ['203.0.113.8', '203.0.113.0'],
  ['203.0.113.255', '203.0.113.0'],
  ['203.0.114.8', '203.0.114.0'],
  ['2001:db8:1:2::/64', '2001:db8:1::'],
  ['2001:db8:1:ffff::/64', '2001:db8:1::'],
  ['2001:db8:2::/64', '2001:db8:2::'],
  ['7d3f4c1a-0b52-4a1e-9c38-5e6f7a8b9c0d', null],
])('the site of %s is %s', ([network, site]) => {
  expect(siteOf(network ?? '')).toBe(site)
})

/** Sign-ins whose verification lasts until `end` is called. */
function heldSignIns() {
  const ended = Promise.withResolvers<void>()
  let verifying = 0
  const signIn = async (party: string) => {
    try {
      await runInTurn(party, {
        count: async () => undefined,
        verify: async () => {
          verifying += 1
          await ended.promise
        },
      })
      return 'done'
    } catch (error) {
      return error instanceof Error ? error.message : 'failed'
    }
  }
  return { signIn, verifying: () => verifying, end: ended.resolve }
}

const BUSY = 'Too many sign-ins at once. Try again in a moment.'
const networks = (site: string, count: number) =>
  Array.from({ length: count }, (_, n) => `2001:db8:${site}:${n.toString(16)}::/64`)

test('the networks of a site share four places, and further sign-ins wait or are refused', async () => {
  const { signIn, verifying, end } = heldSignIns()
  const flood = networks('1', 500).map(signIn)
  const other = signIn('2001:db8:2::/64')
  await expect.poll(verifying).toBe(5)
  end()
  const results = await Promise.all(flood)
  expect(results.filter((result) => result === BUSY)).toHaveLength(100)
  expect(await other).toBe('done')
})

test('a network of a signed-in person does not wait for its site', async () => {
  const { signIn, verifying, end } = heldSignIns()
  const flood = networks('3', 500).map(signIn)
  await expect.poll(verifying).toBe(4)
  rememberNetwork('2001:db8:3:ffff::/64')
  const own = signIn('2001:db8:3:ffff::/64')
  await expect.poll(verifying).toBe(5)
  end()
  expect(await own).toBe('done')
  await Promise.all(flood)
})

test('networks of signed-in people find a place even if many sites wait', async () => {
  const { signIn, end } = heldSignIns()
  const sites = Array.from({ length: 100 }, (_, n) => networks((256 + n).toString(16), 4)).flat()
  const flood = sites.map(signIn)
  const early = await Promise.race([...flood, signIn('198.51.100.7')])
  rememberNetwork('198.51.100.8')
  const own = signIn('198.51.100.8')
  end()
  expect([early, await own]).toEqual([BUSY, 'done'])
  await Promise.all(flood)
})
