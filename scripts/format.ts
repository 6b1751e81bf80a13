import { runTool } from './tool.ts'

// `npm run format` writes the format for `npm run check`.

process.exit(runTool('oxfmt'))
