import { rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { dataFolder, processesOf, startProcess } from '#tests/server-process.ts'

const DATA_DIR = dataFolder()
afterAll(() => rmSync(DATA_DIR, { recursive: true, force: true }))

const faults = [
  ['an error outside of every request', 'throw new Error("unforeseen")'],
  ['an unhandled rejection', 'Promise.reject(new Error("unforeseen"))'],
]

test.each(faults)('%s ends the server with 1 and its reason, and PostgreSQL with it', async (_name, fault) => {
  const program = `process.on("SIGUSR2", () => { ${fault} })`
  const server = startProcess({
    DATA_DIR,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}`,
  })
  const address = await server.ready()
  server.child.kill('SIGUSR2')
  const { code, stderr } = await server.ended
  expect(code).toBe(1)
  expect(stderr).toMatch(/^Error: unforeseen\n {4}at /)
  await expect(fetch(address)).rejects.toThrow()
  expect(processesOf(DATA_DIR)).toEqual([])
})
