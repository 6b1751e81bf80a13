import { runTool } from './tool.ts'

// `npm run client` writes the types of packages/client from the OpenAPI document of admin-api. With `--check` it compares
// the types with the document that the check has just written.

const isCheck = process.argv.includes('--check')
const status = isCheck ? 0 : runTool(process.execPath, 'scripts/openapi.ts')
process.exit(
  status === 0
    ? runTool(
        process.execPath,
        'packages/client/node_modules/openapi-typescript/bin/cli.js',
        '.reports/openapi-admin-api.json',
        '--output',
        'packages/client/src/admin-api.d.ts',
        ...(isCheck ? ['--check'] : []),
      )
    : status,
)
