import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{apps,packages,scripts,tests}/**/*.test.ts'],
    globalSetup: 'packages/testing/src/test-postgres.ts',
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Two cores: more workers only wait for each other.
    maxWorkers: 2,
  },
})
