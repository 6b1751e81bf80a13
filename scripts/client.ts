import { runTool } from './tool.ts'

// `npm run client` writes the types of packages/client from the OpenAPI documents of both servers, which it writes first.
// The check and the release do it too; git ignores the types.

const isWritten =
  runTool(process.execPath, 'scripts/openapi.ts') === 0 &&
  ['admin-api', 'ai-api'].every((server) => writeTypes(server) === 0)
process.exit(isWritten ? 0 : 1)

function writeTypes(server: string): number {
  return runTool(
    process.execPath,
    'packages/client/node_modules/openapi-typescript/bin/cli.js',
    `.reports/openapi-${server}.json`,
    '--output',
    `packages/client/src/${server}.d.ts`,
  )
}
