import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseSettings } from '@switchboard/server/settings/env'
import { SECRET, variables } from '@switchboard/server/settings/variables'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { readRepositoryFile } from './repository-files.ts'

// The files below `deploy` and the Dockerfile: what can be checked without a container engine. tests/faults/image.test.ts
// builds the image and starts Compose.

const root = path.resolve(import.meta.dirname, '../..')
const units = 'deploy/systemd'
const chart = 'deploy/helm/switchboard'

const dockerfile = readRepositoryFile('Dockerfile')
const stages = dockerfile.split(/^(?=FROM )/m).slice(1)

test('the image, CI and the packages for Linux have one version of Node', () => {
  const pinned = ['Dockerfile', '.github/workflows/ci.yml', 'package.json'].flatMap((file) => [
    ...readRepositoryFile(file).matchAll(/\bnode(?::|-linux-\w+": ")(\d+[.\d]*)/g),
  ])
  expect(pinned.length).toBe(5)
  expect(new Set(pinned.map(([, version]) => version))).toEqual(new Set([readRepositoryFile('.node-version').trim()]))
})

test('the image has the version of this repository, unless its builder names another', () => {
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(readRepositoryFile('package.json')))
  expect(dockerfile).toContain(`\nARG VERSION=${version}\n`)
})

test('the last stage of the image runs nothing, and starts without a shell as a user that is not root', () => {
  const last = stages.at(-1) ?? ''
  expect(last.match(/^(RUN|ADD|SHELL)\b/m)).toBeNull()
  expect(last).toMatch(/^USER 65532:65532$/m)
  for (const instruction of ['ENTRYPOINT', 'CMD']) expect(last).toMatch(new RegExp(`^ *${instruction} \\[`, 'm'))
  expect(last).toMatch(/^COPY --from=build \/build\/dist\/release \/app$/m)
})

const service = z.looseObject({
  image: z.string(),
  build: z.string().optional(),
  pull_policy: z.string().optional(),
  environment: z.record(z.string(), z.string()).default({}),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  command: z.array(z.string()).optional(),
})
const compose = z
  .object({ services: z.record(z.string(), service) })
  .parse(parse(readRepositoryFile('deploy/compose/compose.yaml'), { merge: true }))

test('the services of compose are locked down', () => {
  for (const [name, { read_only, cap_drop, security_opt }] of Object.entries(compose.services)) {
    if (name === 'postgres') continue
    if (name !== 'secrets') expect(read_only, name).toBe(true)
    expect([cap_drop, security_opt], name).toEqual([['ALL'], ['no-new-privileges:true']])
  }
})

test('one service of compose builds the image with the version of the chart, and the others use it', () => {
  const { appVersion } = z.object({ appVersion: z.string() }).parse(parse(readRepositoryFile(`${chart}/Chart.yaml`)))
  const image = `\${SWITCHBOARD_IMAGE:-switchboard:${appVersion}}`
  const ours = Object.entries(compose.services).filter(([, each]) => each.image === image)
  expect(ours.map(([name]) => name)).toEqual(['secrets', 'admin-api', 'ai-api', 'worker', 'backup'])
  expect(ours.filter(([, { build }]) => build !== undefined).map(([name]) => name)).toEqual(['secrets'])
  expect(ours.slice(1).map(([, { pull_policy }]) => pull_policy)).toEqual(ours.slice(1).map(() => 'never'))
})

test.each(['admin-api', 'ai-api', 'worker'])('%s of compose has settings that it accepts', (name) => {
  const { environment, command } = service.parse(compose.services[name])
  expect(command).toEqual([`apps/${name}/src/main.ts`])
  expect(unknownNames(Object.keys(environment).filter((key) => key !== 'HEALTH_URL'))).toEqual([])
  // An empty default stays for a variable that .env does not set; the files exist only in the container.
  const given = Object.entries({ ...environment, PLATFORM_DOMAIN: 'example.com' })
    .filter(([key]) => !key.endsWith('_FILE'))
    .map(([key, value]) => [key, value.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')])
  expect(() => parseSettings(Object.fromEntries(given))).not.toThrow()
})

test('compose makes missing secrets once, for the account of the servers', () => {
  const [folder, backups] = [temporaryFolder(), temporaryFolder()]
  const make = () => spawnSync(process.execPath, ['deploy/compose/secrets.mjs', folder, backups], { cwd: root }).status
  const read = (name: string) => readFileSync(path.join(folder, name), 'utf8')
  if (process.getuid?.() !== 0) return expect(make()).toBe(1)
  expect(make()).toBe(0)
  const names = readdirSync(folder).toSorted()
  expect(names).toEqual(['database_password', 'database_url', 'secrets_key', 'super_admin_password', 'webhook_secret'])
  const first = names.map(read)
  for (const name of names) expect(statSync(path.join(folder, name))).toMatchObject({ uid: 65_532, mode: 0o100_400 })
  expect(statSync(backups).uid).toBe(65_532)
  expect(() =>
    parseSettings({
      DATABASE_URL: read('database_url'),
      SECRETS_KEY: read('secrets_key'),
      WEBHOOK_SECRET: read('webhook_secret'),
    }),
  ).not.toThrow()
  expect(make()).toBe(0)
  expect(names.map(read)).toEqual(first)
})

test('the backup service of compose makes the backup of the night when it is missing', async () => {
  const folder = temporaryFolder()
  mkdirSync(path.join(folder, 'scripts'))
  writeFileSync(path.join(folder, 'scripts/backup.ts'), 'console.log(process.argv.slice(2).join())')
  const old = path.join(folder, 'switchboard.backup')
  writeFileSync(old, '')
  utimesSync(old, 0, 0)
  const backups = spawn(process.execPath, [path.join(root, 'deploy/compose/backups.mjs'), folder], { cwd: folder })
  const [output] = await once(backups.stdout, 'data')
  expect(String(output)).toBe('--keep,7,--timer\n')
  backups.kill('SIGTERM')
  expect(await once(backups, 'exit')).toEqual([0, null])
})

test.skipIf(!isInstalled('caddy', 'version'))('Caddy accepts the configuration of compose', () => {
  const env = { ...process.env, CONSOLE_DOMAIN: 'console.example.com', AI_DOMAIN: 'ai.example.com' }
  const args = ['validate', '--adapter', 'caddyfile', '--config', 'deploy/compose/Caddyfile']
  expect(spawnSync('caddy', args, { cwd: root, env }).status).toBe(0)
})

test('the units of systemd have settings that the servers know, and start a server or a command', () => {
  const files = readdirSync(path.join(root, units), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(service|conf)$/.test(file),
  )
  const text = files.map((file) => readRepositoryFile(`${units}/${file}`)).join('\n')
  const names = [...text.matchAll(/^Environment=(.*)$/gm)].flatMap(([, list = '']) =>
    list.split(' ').map((pair) => pair.split('=')[0] ?? ''),
  )
  expect(new Set(unknownNames(names))).toEqual(new Set(['NODE_ENV', 'TMPDIR']))
  const started = [...text.matchAll(/^ExecStart=\/opt\/switchboard\/bin\/node (\S+)/gm)].map(
    ([, script = '']) => script,
  )
  expect(started).toHaveLength(5)
  for (const script of started) expect(statSync(path.join(root, script)).isFile()).toBe(true)
})

/** Files of systemd on the pages for operators, each below a line with its path. */
const unitsOfPages = readdirSync(path.join(root, 'docs/operate')).flatMap((page) =>
  [
    ...readRepositoryFile(`docs/operate/${page}`).matchAll(
      /^# \/etc\/systemd\/system\/(\S+)\n((?:(?!# \/|```).*\n)+)/gm,
    ),
  ].map(([, file = '', text = '']) => ({ page, file, text })),
)

test('every section of a unit on a page is below the path of its file', () => {
  const sections = readdirSync(path.join(root, 'docs/operate')).flatMap((page) =>
    [...readRepositoryFile(`docs/operate/${page}`).matchAll(/^\[(?:Service|Socket|Timer)\]$/gm)].map(() => page),
  )
  expect(sections.toSorted()).toEqual(unitsOfPages.map(({ page }) => page).toSorted())
})

test.skipIf(!isInstalled('systemd-analyze', '--version'))(
  'systemd accepts the units with those of the pages, and calls their exposure low',
  () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-units-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    cpSync(path.join(root, units), folder, { recursive: true, verbatimSymlinks: true })
    for (const { file, text } of unitsOfPages) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
      writeFileSync(path.join(folder, file), text)
    }
    const files = readdirSync(folder)
      .filter((name) => /\.(service|socket|timer)$/.test(name))
      .map((name) => path.join(folder, name))
    const verified = spawnSync('systemd-analyze', ['verify', '--man=no', ...files], { encoding: 'utf8' })
    // The programs of the unit are on the server.
    expect(verified.stderr.split('\n').filter((line) => line !== '' && !line.includes('is not executable'))).toEqual([])
    // In tenths: an unrestricted service has 96.
    const services = files.filter((file) => file.endsWith('.service'))
    const { status, stdout } = spawnSync(
      'systemd-analyze',
      ['security', '--offline=yes', '--no-pager', '--threshold=15', ...services],
      { encoding: 'utf8' },
    )
    expect(status, stdout).toBe(0)
  },
)

test('a test follows every block of commands of the guides for operators', () => {
  const follower = readRepositoryFile('tests/faults/release.test.ts')
  const sections = readdirSync(path.join(root, 'docs/operate')).flatMap((page) =>
    readRepositoryFile(`docs/operate/${page}`)
      .split(/^## /m)
      .filter((section) => section.includes('```sh\n'))
      .map((section) => `follow('${page}', '${section.split('\n')[0] ?? ''}'`),
  )
  expect(sections.length).toBeGreaterThan(5)
  expect(sections.filter((call) => !follower.includes(call))).toEqual([])
})

test('the command switchboard of systemd runs those of a release that the guides for operators and the doctor name', () => {
  const names = (text: string) => [...text.matchAll(/\b([a-z][a-z-]+)\b/g)].map(([, name = '']) => name)
  const [, offered = ''] = /^ {2}(admin \|.*)\) shift/m.exec(readRepositoryFile(`${units}/switchboard`)) ?? []
  const [, released = ''] = /const COMMANDS = \[([^\]]*)\]/.exec(readRepositoryFile('scripts/setup/release.mjs')) ?? []
  expect(names(offered).filter((name) => !released.includes(`'${name}.ts'`))).toEqual([])
  const guides = readdirSync(path.join(root, 'docs/operate')).map((name) => `docs/operate/${name}`)
  const text = guides.map(readRepositoryFile).join('\n')
  const doctor = readRepositoryFile('scripts/doctor/database-checks.ts')
  const named = [
    ...[...text.matchAll(/(?:^|`)switchboard ([a-z-]+)/gm)].map(([, name = '']) => name),
    ...[...doctor.matchAll(/commandHere\('([a-z:]+)'/g)].map(([, name = '']) => name.replace(':', '-')),
  ]
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter((name) => !names(offered).includes(name))).toEqual([])
})

test('the chart names settings', () => {
  const values = z
    .object({ secretKeys: z.array(z.string()), servers: z.record(z.string(), z.unknown()) })
    .parse(parse(readRepositoryFile(`${chart}/values.yaml`)))
  expect(Object.keys(values.servers)).toEqual(['admin-api', 'ai-api', 'worker'])
  const templates = ['_helpers.tpl', 'backup.yaml'].map((name) => readRepositoryFile(`${chart}/templates/${name}`))
  const names = [...templates.join('').matchAll(/\{ name: ([A-Z_]+), value/g)].map(([, name = '']) => name)
  expect(names.length).toBeGreaterThan(2)
  expect(unknownNames([...names, ...values.secretKeys.map((key) => `${key}_FILE`)])).toEqual([])
})

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-deploy-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('the schema of the chart accepts its values and no others, and the templates use each value', () => {
  const schema = JSON.parse(readRepositoryFile(`${chart}/values.schema.json`))
  const values = z.record(z.string(), z.unknown()).parse(parse(readRepositoryFile(`${chart}/values.yaml`)))
  const isAccepted = (changed: object) => z.fromJSONSchema(schema).safeParse({ ...values, ...changed }).success
  expect(isAccepted({})).toBe(true)
  expect(isAccepted({ settings: { PORT: 3000, PASSWORD_SIGN_IN: 'off' } })).toBe(true)
  for (const wrong of [{ replicas: 2 }, { drainSeconds: '10' }, { settings: { publicUrl: '' } }, { secretName: '' }])
    expect(isAccepted(wrong), JSON.stringify(wrong)).toBe(false)
  const folder = path.join(root, chart, 'templates')
  const templates = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'))
  const unused = Object.keys(values).filter(
    (name) => !new RegExp(`\\.Values\\.${name}\\b|"${name}"`).test(templates.join('')),
  )
  expect(unused).toEqual([])
  expect(Object.keys(values)).toEqual(Object.keys(schema.properties).filter((name) => name !== 'global'))
})

/** The names that are neither a setting nor a setting with `_FILE`. */
function unknownNames(names: readonly string[]): string[] {
  const known = new Set([...Object.keys(variables.shape), ...[...SECRET].map((name) => `${name}_FILE`)])
  return names.filter((name) => !known.has(name))
}

function isInstalled(program: string, version: string): boolean {
  return spawnSync(program, [version]).status === 0
}
