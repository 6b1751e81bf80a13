import { basename } from 'node:path'
import { gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite'

/** The worth of a saved request, in bytes of code. Over HTTP/1.1, a browser sends six requests at a time. */
const FILE_BYTES = 5_000
/** Unneeded bytes count more on pages often loaded without a cache. */
const SIGNED_OUT_WEIGHT = 12
const DASHBOARD_WEIGHT = 20

type Page = { file: string; weight: number }
/** Modules of a script, perhaps with a stylesheet; the pages with these modules; the imported parts. */
type Part = { pages: Set<Page>; modules: string[]; bytes: number; files: number; imports: Set<Part> }

/**
 * Returns the groups of the bundler for the code of the screens. Builds the console once with a file for each set of pages
 * and dialogs and for each CSS module, and merges these files while saved requests outweigh unneeded bytes:
 * docs/decisions/0055-requests-of-a-screen.md.
 */
export async function screenGroups(config: InlineConfig): Promise<Rolldown.CodeSplittingGroup[]> {
  let parts: Part[] = []
  const collect: Plugin = {
    name: 'collect-parts',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const importersOf = (id: string) => this.getModuleInfo(id)?.dynamicImporters ?? []
        parts = partsOf(bundle, (id, route) => importersOf(id).some((importer) => route.test(importer)))
      },
    },
  }
  const plugins = [react(), collect]
  const styles = { name: (id: string) => basename(id), test: /\.module\.css$/ }
  const options = { write: false, rolldownOptions: { output: { codeSplitting: { groups: [styles] } } } }
  await build({ ...config, configFile: false, plugins, logLevel: 'error', build: { ...config.build, ...options } })
  // A module goes to the first group that matches, with its imports.
  return [
    { name: 'start', tags: ['$initial'] },
    ...mergeParts(parts).map(({ modules }, index) => {
      const captured = new Set(modules)
      return { name: `screens-${index}`, test: (id: string) => captured.has(id) }
    }),
    // The code that only dialogs share.
    { name: 'dialogs', minShareCount: 8 },
    { name: 'small', minShareCount: 2, maxModuleSize: 1_500 },
  ]
}

/** The parts of a bundle: files with the same pages are joined, scripts and CSS modules separately. */
function partsOf(bundle: Rolldown.OutputBundle, isImportedBy: (id: string, route: RegExp) => boolean): Part[] {
  const chunks = new Map<string, Rolldown.OutputChunk>()
  for (const file of Object.keys(bundle).toSorted()) {
    const chunk = bundle[file]
    if (chunk?.type === 'chunk') chunks.set(file, chunk)
  }
  const filesOf = (file: string, found = new Set<string>()) => {
    const chunk = found.has(file) ? undefined : chunks.get(file)
    if (chunk !== undefined) found.add(file)
    for (const imported of chunk?.imports ?? []) filesOf(imported, found)
    return found
  }
  const entry = [...chunks.values()].find((chunk) => chunk.isEntry)?.fileName ?? ''
  const initial = filesOf(entry)
  const lazy = [...initial].flatMap((file) => chunks.get(file)?.dynamicImports ?? [])
  // `main.tsx` and the route of all signed-in pages import the code that each signed-in page needs.
  const idOf = (file: string) => chunks.get(file)?.facadeModuleId ?? ''
  const isFrame = (file: string) => isImportedBy(idOf(file), /src[\\/](main|signed-in-route)\.tsx?$/)
  const frame = lazy.filter(isFrame).flatMap((file) => [...filesOf(file)])
  const pagesOf = new Map<string, Set<Page>>()
  for (const file of new Set(lazy)) {
    const id = idOf(file)
    if (!id.endsWith('.tsx') || isFrame(file)) continue
    const isSignedOut = isImportedBy(id, /src[\\/]signed-out-routes\.ts$/)
    const isDashboard = id.endsWith('dashboard-page.tsx')
    const page = { file, weight: isSignedOut ? SIGNED_OUT_WEIGHT : isDashboard ? DASHBOARD_WEIGHT : 1 }
    // A lazy section appears with its page; a dialog does not.
    const sections = (chunks.get(file)?.dynamicImports ?? []).filter((part) => idOf(part).endsWith('-section.tsx'))
    const needed = [file, ...sections].flatMap((part) => [...filesOf(part)])
    for (const loaded of [...needed, ...(isSignedOut ? [] : frame)]) {
      if (!initial.has(loaded)) pagesOf.set(loaded, (pagesOf.get(loaded) ?? new Set()).add(page))
    }
  }
  const parts = new Map<string, Part>()
  const partOf = new Map<string, Part>()
  for (const [file, pages] of pagesOf) {
    const chunk = chunks.get(file)
    const modules = chunk?.moduleIds ?? []
    const key =
      [...pages]
        .map((page) => page.file)
        .toSorted()
        .join() + modules.every((id) => id.endsWith('.css'))
    const part = parts.get(key) ?? { pages, modules: [], bytes: 0, files: 1, imports: new Set() }
    part.modules.push(...modules)
    part.bytes += bytesOf(bundle, file)
    for (const style of chunk?.viteMetadata?.importedCss ?? []) {
      part.bytes += bytesOf(bundle, style)
      part.files = 2
    }
    parts.set(key, part)
    partOf.set(file, part)
  }
  for (const [file, part] of partOf) {
    for (const imported of chunks.get(file)?.imports ?? []) {
      const other = partOf.get(imported)
      if (other !== undefined && other !== part) part.imports.add(other)
    }
  }
  return [...parts.values()]
}

function bytesOf(bundle: Rolldown.OutputBundle, file: string): number {
  const output = bundle[file]
  if (output === undefined) return 0
  return gzipSync(output.type === 'chunk' ? output.code : output.source).length
}

/** Merges the two parts with the largest gain until no merge has a gain. Parts of most pages come first. */
function mergeParts(parts: Part[]): Part[] {
  for (;;) {
    let best: { gain: number; kept: Part; merged: Part } | undefined
    for (const [index, kept] of parts.entries()) {
      for (const merged of parts.slice(index + 1)) {
        const gain = gainOf(kept, merged)
        if (gain > (best?.gain ?? 0)) best = { gain, kept, merged }
      }
    }
    if (best === undefined) return parts.toSorted((a, b) => b.pages.size - a.pages.size)
    const { kept, merged } = best
    kept.pages = new Set([...kept.pages, ...merged.pages])
    kept.modules.push(...merged.modules)
    kept.bytes += merged.bytes
    kept.files = Math.max(kept.files, merged.files)
    parts = parts.filter((part) => part !== merged)
    for (const imported of merged.imports) kept.imports.add(imported)
    for (const part of parts) if (part.imports.delete(merged)) part.imports.add(kept)
    kept.imports.delete(kept)
    for (const part of allImports(kept)) part.pages = new Set([...part.pages, ...kept.pages])
  }
}

/** The bytes that a merge of two parts saves on all pages. Negative where pages would load more than they need. */
function gainOf(a: Part, b: Part): number {
  // A page that loads the merged file loads its imports too.
  const imports = [...allImports(b, allImports(a))].filter((part) => part !== a && part !== b)
  let gain = 0
  for (const page of new Set([...a.pages, ...b.pages])) {
    const loaded = [a, b].filter(({ pages }) => pages.has(page))
    const added = imports.filter(({ pages }) => !pages.has(page))
    const unneeded = [a, b].filter(({ pages }) => !pages.has(page))
    gain += FILE_BYTES * (sum(loaded, 'files') - Math.max(a.files, b.files) - sum(added, 'files'))
    gain -= page.weight * sum([...unneeded, ...added], 'bytes')
  }
  return gain
}

function sum(parts: Part[], count: 'bytes' | 'files'): number {
  return parts.reduce((total, part) => total + part[count], 0)
}

function allImports(part: Part, found = new Set<Part>()): Set<Part> {
  for (const imported of part.imports) {
    if (found.has(imported)) continue
    found.add(imported)
    allImports(imported, found)
  }
  return found
}
