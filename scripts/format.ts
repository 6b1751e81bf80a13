import { runTool } from './tool.ts'

// `npm run format` writes the format that `npm run check` asks for.

process.exit(runTool('oxfmt'))
