import { createLiquid, type Job, type LiquidLimits } from './render-template.ts'

// Child process that renders batches of templates, one template after the other. Its permissions allow reading its own code and nothing else: no
// files, no network, no processes, no code from text. `renderer.ts` starts and kills it.

// A template must not change the next one.
for (const { prototype } of [Object, Array, String, Number, Boolean, Function]) Object.freeze(prototype)

const limits: LiquidLimits = JSON.parse(process.argv[2] ?? '')
const render = createLiquid(limits)
// Compiles the engine, so that the first template is not slower than the others.
render([{ template: '{% if goal %}{{ goal | append: goal }}{% endif %}\n'.repeat(30), variables: { goal: '' } }])

process.on('message', (jobs: Job[]) => void process.send?.(render(jobs)))
// The server has ended.
process.on('disconnect', () => process.exit())
// A terminal sends Ctrl-C to every process; the server ends this one.
process.on('SIGINT', () => {})
process.send?.('ready')
