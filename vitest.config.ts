import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{apps,packages,scripts,tests}/**/*.test.ts'],
    globalSetup: 'packages/testing/src/test-postgres.ts',
    // A limit ends a test that hangs. Machines differ in speed by a factor of ten, so no test has a shorter one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Two cores: more workers only wait for each other.
    maxWorkers: 2,
    // The files of a worker share its modules. Loading all modules for each file takes a third of the time.
    isolate: false,
  },
})
