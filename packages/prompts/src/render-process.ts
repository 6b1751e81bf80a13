import { createLiquid, type LiquidLimits } from './liquid.ts'

// The process in which templates are rendered, one after the other. It may read its own code and nothing else: no
// files, no network, no other process, no code from text (see `renderer.ts`, which starts and ends it).

// What one template leaves behind must not reach the next one.
for (const { prototype } of [Object, Array, String, Number, Boolean, Function]) Object.freeze(prototype)

// LiquidJS's clock: it goes on only while this process works. A busy machine is no fault of a template.
performance.now = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

const limits: LiquidLimits = JSON.parse(process.argv[2] ?? '')
const render = createLiquid(limits)
// The engine is slow until it is warm, and the first template is not to pay for that.
render('{% if goal %}{{ goal | append: goal }}{% endif %}\n'.repeat(30), { goal: '' })

process.on('message', ({ template, variables }: { template: string; variables: object }) => {
  process.send?.(render(template, variables))
})
// Without its server it is of no use.
process.on('disconnect', () => process.exit())
// Ctrl-C reaches every process of the terminal; the server decides when this one ends.
process.on('SIGINT', () => {})
process.send?.('ready')
