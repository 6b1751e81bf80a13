import { spawnSync } from 'node:child_process'
import { createWorkerMetrics } from '#apps/worker/src/worker-metrics.ts'
import { makeLogSink } from '@switchboard/testing/log-sink-factory'
import { startTestWorker } from '#apps/worker/src/testing/test-worker.ts'
import { expect, test } from 'vitest'
import { readRepositoryFile } from './repository-files.ts'
import { startBothServers } from './two-servers.ts'

// Alerts and dashboards name metrics that the servers print.

const { servers, db } = await startBothServers()
await makeLogSink(db, { kind: 'syslog', address: 'logs.example.com:6514' })
for (const { app } of servers) await app.inject('/healthz')
const { worker } = await startTestWorker({ isStarted: false })
const never = { last: () => ({ isBroken: false, rows: 0, atMs: 0 }) }
const registries = [
  ...servers.map(({ app }) => app.metrics),
  createWorkerMetrics(worker.deps, never, { hasFailed: () => false }),
]
const printed = (await Promise.all(registries.map((registry) => registry.metrics()))).join('\n')

const printedTypes = new Map(
  [...printed.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]),
)
const ours = [...printedTypes].filter(([name]) => !/^(nodejs|process)_/.test(name))
const alerts = readRepositoryFile('deploy/prometheus/alerts.yaml')
const alertNames = [...alerts.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name]) => name)

test('each of our counters begins at 0', () => {
  const counters = ours.filter(([, type]) => type === 'counter').map(([name]) => name)
  expect(counters.filter((name) => !new RegExp(`^${name}(\\{.*\\})? 0$`, 'm').test(printed))).toEqual([])
})

test('every alert fires in a test of promtool', () => {
  const tests = readRepositoryFile('deploy/prometheus/alerts.test.yaml')
  expect(alertNames.length).toBeGreaterThan(15)
  expect(alertNames.filter((name) => !tests.includes(`{alertname="${name}"}`))).toEqual([])
})

const grafana = JSON.parse(readRepositoryFile('deploy/grafana/switchboard.json'))
const expressions = {
  alerts: [...alerts.matchAll(/^ +expr: (.+(?:\n {10,}.+)*)$/gm)].map(([, expression = '']) => expression),
  dashboard: [...JSON.stringify(grafana).matchAll(/"expr":("(?:[^"\\]|\\.)*")/g)].map(([, text = '']) =>
    JSON.parse(text),
  ),
  'tests of the alerts': [
    ...readRepositoryFile('deploy/prometheus/alerts.test.yaml').matchAll(/series: '([^']*)'/g),
  ].map(([, series = '']) => series),
} satisfies Record<string, string[]>

test.for(Object.entries(expressions))('the %s name only metrics that a server prints', ([, texts]) => {
  expect(texts.length).toBeGreaterThan(20)
  const histograms = ours.filter(([, type]) => type === 'histogram').map(([name]) => name)
  const known = new Set([
    ...printedTypes.keys(),
    ...histograms.flatMap((name) => [`${name}_bucket`, `${name}_count`, `${name}_sum`]),
    // Prometheus makes these two itself.
    'up',
    'ALERTS',
  ])
  expect([...new Set(texts.flatMap(metricsOf))].filter((name) => !known.has(name))).toEqual([])
})

test('the dashboard shows each of our metrics', () => {
  const shown = new Set(
    expressions.dashboard.flatMap(metricsOf).map((name) => name.replace(/_(bucket|count|sum)$/, '')),
  )
  expect(ours.map(([name]) => name).filter((name) => !shown.has(name))).toEqual([])
})

test('the labels in alerts and dashboard exist', () => {
  const known = new Set([
    'job',
    'instance',
    'le',
    'alertname',
    'alertstate',
    ...ours.flatMap(([name]) => labelsOf(name)),
  ])
  const named = [...expressions.alerts, ...expressions.dashboard].flatMap((text) => [
    ...[...text.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label = '']) => label),
    ...[...text.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(/,\s*/)),
  ])
  expect([...new Set(named)].filter((label) => !known.has(label))).toEqual([])
})

const hasPromtool = spawnSync('promtool', ['--version']).status === 0
if (!hasPromtool) console.warn('promtool is missing, so the tests of the alert rules are skipped (Debian: prometheus).')

test.runIf(hasPromtool).for([
  ['check', 'config', 'deploy/prometheus/prometheus.yaml'],
  ['check', 'config', '--syntax-only', 'deploy/compose/prometheus.yaml'],
  ['test', 'rules', 'deploy/prometheus/alerts.test.yaml'],
])('promtool %s %s passes', (command) => {
  const { status, stdout, stderr } = spawnSync('promtool', command, { encoding: 'utf8' })
  expect({ status, output: stdout + stderr }).toMatchObject({ status: 0 })
})

/** The metrics in an expression of PromQL. */
function metricsOf(expression: string): string[] {
  const bare = expression
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]|\b(?:by|on|without|ignoring) \([^)]*\)/g, ' ')
  return (bare.match(/\b[a-zA-Z_]\w*\b(?!\s*\()/g) ?? []).filter((word) => !['and', 'or', 'unless'].includes(word))
}

/** The labels of a metric, except `le`. A metric with labels prints at least one sample. */
function labelsOf(name: string): string[] {
  const [, labels = ''] = new RegExp(`^${name}(?:_count)?\\{([^}]*)\\}`, 'm').exec(printed) ?? []
  return [...labels.matchAll(/(\w+)="/g)].map(([, label = '']) => label)
}
