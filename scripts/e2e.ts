import { runTool } from './tool.ts'

// `npm run e2e` runs the stories in a browser; `npm run e2e -- palette` runs the files whose names contain "palette".

process.exit(runTool('playwright', 'test', ...process.argv.slice(2)))
