import { linked, tableOf } from './tables.ts'

type Command = {
  /** How it is typed; by default `npm run` and the name. */
  usage?: string
  purpose: string
}

const FOR_DEVELOPERS: Record<string, Command> = {
  start: {
    usage: 'npm start',
    purpose: 'installs missing packages, builds the console, starts PostgreSQL and the servers, and prints the address',
  },
  demo: { purpose: 'starts the product with invented data in `.data-demo`' },
  dev: { purpose: 'is `npm start` with reload; the console is at http://localhost:5173' },
  test: {
    usage: 'npm test -- WORD',
    purpose: 'runs the unit and API tests of the files with this word in their path; without a word, every test',
  },
  e2e: { usage: 'npm run e2e -- WORD', purpose: 'runs only the stories in a browser' },
  format: { purpose: 'formats all files' },
  check: {
    purpose:
      'checks format, lint, workflows, types, dead code, API documents, the types of the typed client and known vulnerabilities',
  },
  client: { purpose: 'writes the types of the typed clients, which an editor needs after a change of the contract' },
  docs: { purpose: 'writes the tables of commands, settings, metrics and events in `docs`' },
  build: { purpose: 'builds the console, and the servers without Node in `dist/release`' },
  release: {
    purpose:
      'writes the files of a release to `dist`; `-- linux-x64` packs for one platform (docs/operate/first-day.md#the-release)',
  },
  image: {
    purpose:
      'builds the image of the Dockerfile with the buildah of Debian; `-- --check` starts Compose with it (docs/operate/containers.md#without-a-container-engine)',
  },
  version: { usage: 'npm version VERSION', purpose: 'names a release, commits and tags it (CONTRIBUTING.md)' },
  bench: {
    usage: 'npm run bench -- PART',
    purpose: 'measures the figures of the product, or one part of them (docs/performance.md)',
  },
  lighthouse: {
    usage: 'npm run lighthouse -- PATH',
    purpose: 'prints the Lighthouse scores of the screens, on a phone and on a desktop, or of one screen',
  },
  starts: {
    purpose: 'starts new clones on Node 18 to 26, also for production and without network',
  },
  screenshots: { purpose: 'takes the pictures of the README and of docs/product.md from new demo data' },
}

const FOR_OPERATORS: Record<string, Command> = {
  admin: {
    usage: 'npm run admin -- ACTION EMAIL',
    purpose:
      '`create` makes a break-glass super admin, with an optional NAME after the address; `reset-password`, `reset-second-factor` and `revoke-tokens` help a person who runs the console',
  },
  'audit:verify': {
    purpose:
      'checks the hash chain of the audit log and the files of `AUDIT_FILES`, and prints its end; `-- SEQ:HASH` compares with an earlier end, `-- FILE` checks only this file (docs/operate/log-shipping.md#check)',
  },
  backup: {
    usage: 'npm run backup FILE',
    purpose:
      'writes all data to one file, by default a new one in `BACKUP_DIR`, or with `-` to standard output; `-- --keep N` keeps the newest N there, `-- --verify FILE` restores one into a scratch database and compares (docs/operate/backup.md)',
  },
  restore: { usage: 'npm run restore FILE', purpose: 'fills an empty database with a backup' },
  'db:migrate': {
    purpose:
      'brings the database to this release without starting a server; `-- status` lists pending migrations, `-- dry-run` runs them and rolls back',
  },
  'db:recount': { purpose: 'compares the counters with the rows and repairs differences; exits with 1 after a repair' },
  doctor: {
    purpose: 'checks an installation and says what to do; `-- --bundle FILE` writes a support bundle without secrets',
  },
  'secrets:rotate': {
    purpose:
      'encrypts the stored secrets with `SECRETS_KEY`; `-- plain` includes those that are not encrypted yet (docs/operate/secrets.md)',
  },
  'start:admin-api': { purpose: 'starts one admin-api, for several machines with one `DATABASE_URL`' },
  'start:ai-api': { purpose: 'starts one ai-api' },
  'start:worker': { purpose: 'starts one worker' },
}

/** The tables of all npm commands. Throws if a script of package.json has no purpose here, or the reverse. */
export function commandsOf(scripts: readonly string[], page: string): string {
  const described = [...Object.keys(FOR_DEVELOPERS), ...Object.keys(FOR_OPERATORS)]
  const odd = scripts.concat(described).filter((name) => !scripts.includes(name) || !described.includes(name))
  if (odd.length > 0) throw new Error(`Only one of package.json and scripts/docs/commands.ts has ${odd.join(', ')}.`)
  return ['## For developers', table(FOR_DEVELOPERS, page), '## For operators', table(FOR_OPERATORS, page)].join('\n\n')
}

function table(commands: Record<string, Command>, page: string): string {
  const rows = Object.entries(commands).map(([name, { usage = `npm run ${name}`, purpose }]) => [
    `\`${usage}\``,
    linked(purpose, page),
  ])
  return tableOf(['command', 'purpose'], rows)
}
