import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { newFolder } from '#tests/server-process.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** A new folder with a copy of all sources, including uncommitted changes, without packages. */
export function copyOfSources(): string {
  const folder = newFolder()
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of listed.trim().split('\n')) {
    if (existsSync(path.join(root, file)))
      cpSync(path.join(root, file), path.join(folder, file), { verbatimSymlinks: true })
  }
  return folder
}

/** Makes the checkout a repository with one commit. Returns a function that runs Git there. */
export function commitAll(checkout: string): (...args: string[]) => string {
  const person = ['-c', 'user.name=Test', '-c', 'user.email=test@switchboard.example']
  const git = (...args: string[]) => execFileSync('git', [...person, ...args], { cwd: checkout, encoding: 'utf8' })
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message', 'Start')
  return git
}

/** Runs npm in a folder and returns its output. Throws when it fails. */
export function npmIn(folder: string, ...args: string[]): string {
  const { npm_execpath: script } = process.env
  const [command, ...first] = script === undefined ? ['npm'] : [process.execPath, script]
  return execFileSync(command, [...first, ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

const record = z.looseObject({ packages: z.record(z.string(), z.looseObject({ dev: z.boolean().optional() })) })

/** Links the installed packages that `isKept` accepts into the checkout, by default all, with npm's record of them. */
export function linkPackages(
  checkout: string,
  isKept: (locked: { dev?: boolean | undefined }) => boolean = () => true,
): void {
  const list = path.join(root, 'node_modules/.package-lock.json')
  const installed = record.parse(JSON.parse(readFileSync(list, 'utf8')))
  const workspaces = globSync('{apps,packages}/*/node_modules', { cwd: checkout })
  for (const folder of ['node_modules', ...workspaces])
    rmSync(path.join(checkout, folder), { recursive: true, force: true })
  const kept = Object.entries(installed.packages).filter(([, locked]) => isKept(locked))
  // Also the packages of a workspace, such as packages/mail/node_modules/nodemailer.
  for (const [place] of kept.filter(([name]) =>
    /^((apps|packages)\/[\w-]+\/)?node_modules\/(@[^/]+\/)?[^/]+$/.test(name),
  )) {
    const link = path.join(checkout, place)
    mkdirSync(path.dirname(link), { recursive: true })
    symlinkSync(place.includes('@switchboard') ? workspaceOf(checkout, place) : path.join(root, place), link)
  }
  const packages = Object.fromEntries(kept)
  writeFileSync(path.join(checkout, 'node_modules/.package-lock.json'), JSON.stringify({ ...installed, packages }))
}

function workspaceOf(checkout: string, place: string): string {
  const name = path.basename(place)
  const folders = ['packages', 'apps'].map((folder) => path.join(checkout, folder, name))
  return folders.find((folder) => existsSync(folder)) ?? ''
}
