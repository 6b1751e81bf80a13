import { gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite'

/**
 * The bytes of code that one file less is worth on a screen: its request and preload entry, and the text that compresses
 * better in a larger file.
 */
const FILE_BYTES = 1_200
/** The sign-in is often loaded without a cache. Its bytes count as much as on eight other screens. */
const SIGNED_OUT_WEIGHT = 8

/** Modules that become one file, the pages that load the file, and the parts that the modules import. */
type Part = { pages: Set<string>; modules: string[]; bytes: number; imports: Set<Part> }

/**
 * Returns the groups of the bundler that join the code of the screens to fewer files. Builds the console once without
 * groups, which gives one file for each set of pages and dialogs, and merges these files as long as a merge saves more
 * than it costs: docs/decisions/0054-screen-files-by-a-rule.md.
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
  await build({ ...config, configFile: false, plugins, logLevel: 'error', build: { ...config.build, write: false } })
  // A module goes to the first group that matches, with its imports.
  return [
    { name: 'start', tags: ['$initial'] },
    ...mergeParts(parts).map(({ modules }, index) => {
      const captured = new Set(modules)
      return { name: `screens-${index}`, test: (id: string) => captured.has(id) }
    }),
    // The code that dialogs alone share.
    { name: 'dialogs', minShareCount: 8 },
    { name: 'small', minShareCount: 2, maxModuleSize: 1_500 },
  ]
}

/** The parts of a bundle: its shared files, joined by the pages that load them. */
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
  const pagesOf = new Map<string, Set<string>>()
  for (const page of new Set(lazy)) {
    if (!idOf(page).endsWith('.tsx') || isFrame(page)) continue
    const isSignedOut = isImportedBy(idOf(page), /src[\\/]signed-out-routes\.ts$/)
    const names = Array.from({ length: isSignedOut ? SIGNED_OUT_WEIGHT : 1 }, (_, copy) => `${page} ${copy}`)
    for (const file of [...filesOf(page), ...(isSignedOut ? [] : frame)]) {
      if (!initial.has(file)) pagesOf.set(file, new Set([...(pagesOf.get(file) ?? []), ...names]))
    }
  }
  const parts = new Map<string, Part>()
  const partOf = new Map<string, Part>()
  for (const [file, pages] of pagesOf) {
    const key = [...pages].toSorted().join()
    const part = parts.get(key) ?? { pages, modules: [], bytes: 0, imports: new Set() }
    const chunk = chunks.get(file)
    part.modules.push(...(chunk?.moduleIds ?? []))
    part.bytes += bytesOf(bundle, file)
    for (const style of chunk?.viteMetadata?.importedCss ?? []) part.bytes += bytesOf(bundle, style)
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
    parts = parts.filter((part) => part !== merged)
    for (const imported of merged.imports) kept.imports.add(imported)
    for (const part of parts) if (part.imports.delete(merged)) part.imports.add(kept)
    kept.imports.delete(kept)
    for (const part of allImports(kept)) part.pages = new Set([...part.pages, ...kept.pages])
  }
}

/** The bytes that a merge of two parts saves on all pages. Negative where pages would load more than they need. */
function gainOf(a: Part, b: Part): number {
  const pages = new Set([...a.pages, ...b.pages])
  const [onlyB, onlyA] = [pages.size - a.pages.size, pages.size - b.pages.size]
  let gain = FILE_BYTES * (pages.size - onlyA - onlyB) - a.bytes * onlyB - b.bytes * onlyA
  if (gain <= 0) return gain
  // A page that loads the merged file loads its imports too.
  for (const part of allImports(b, allImports(a))) {
    if (part !== a && part !== b)
      gain -= [...pages].filter((page) => !part.pages.has(page)).length * (part.bytes + FILE_BYTES)
  }
  return gain
}

function allImports(part: Part, found = new Set<Part>()): Set<Part> {
  for (const imported of part.imports) {
    if (found.has(imported)) continue
    found.add(imported)
    allImports(imported, found)
  }
  return found
}
