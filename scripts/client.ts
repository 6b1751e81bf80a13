import { runTool } from './tool.ts'

// `npm run client` writes the types of packages/client from the OpenAPI documents of both servers. With `--check` it
// compares the types with the documents that the check has just written.

const isCheck = process.argv.includes('--check')
const SERVERS = ['admin-api', 'ai-api']

const isWritten = isCheck || runTool(process.execPath, 'scripts/openapi.ts') === 0
process.exit(isWritten && SERVERS.every((server) => writeTypes(server) === 0) ? 0 : 1)

function writeTypes(server: string): number {
  return runTool(
    process.execPath,
    'packages/client/node_modules/openapi-typescript/bin/cli.js',
    `.reports/openapi-${server}.json`,
    '--output',
    `packages/client/src/${server}.d.ts`,
    ...(isCheck ? ['--check'] : []),
  )
}
