import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Runs `tests/faults` first. Vitest runs small files last, and the minutes of one small file would keep one worker. */
class FaultsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => (moduleId.includes('/tests/faults/') ? 0 : 1)
    // oxlint-disable-next-line unicorn/no-array-sort -- the method of Vitest
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}

export default defineConfig({
  test: {
    include: ['{apps,packages,scripts,tests}/**/*.test.ts'],
    globalSetup: 'tests/test-postgres.ts',
    // A limit ends a test that hangs. Machines differ in speed by a factor of ten, so no test has a shorter one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 120_000 } },
    // One more than cores, because a test waits a fifth of its time. At most four, for the connections of the database.
    maxWorkers: Math.min(availableParallelism() + 1, 4),
    // The files of a worker share its modules. Loading all modules for each file takes a third of the time.
    isolate: false,
    sequence: { sequencer: FaultsFirst },
  },
})
