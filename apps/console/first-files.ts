import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin, Rolldown } from 'vite'

const PLACEHOLDER = '__FIRST_FILES__'

/**
 * Writes into index.html which files each page needs besides those of all pages, for `public/early.js`, which asks for
 * them before the script that would has come.
 */
export function firstFiles(): Plugin {
  return {
    name: 'first-files',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) =>
        html.replace(PLACEHOLDER, JSON.stringify(bundle ? filesOfPages(bundle, html) : {})),
    },
  }
}

function filesOfPages(bundle: Rolldown.OutputBundle, html: string) {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const files = new Set<string>()
  const pages = pagesOfRouter().map(({ path: address, file }) => {
    const page = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(file))
    if (!page) throw new Error(`${address} has no chunk: ${file} of src/router.tsx is in none of its own.`)
    const needed = [...neededBy(page, chunks)].map((name) => `/${name}`).filter((name) => !html.includes(name))
    for (const name of needed) files.add(name)
    return { path: address, needed }
  })
  const all = [...files]
  return {
    files: all,
    pages: pages.map((page) => ({ path: page.path, files: page.needed.map((name) => all.indexOf(name)) })),
  }
}

/** Every page of src/router.tsx: its address, and after it the file that shows it. */
function pagesOfRouter(): { path: string; file: string }[] {
  const router = readFileSync(path.join(import.meta.dirname, 'src/router.tsx'), 'utf8')
  return [...router.matchAll(/path: '([^']+)'.*?import\('#src(\/[^']+-page\.tsx)'\)/gs)].map(
    ([, address = '', file = '']) => ({ path: address, file: `/src${file}` }),
  )
}

/** The files of a chunk and of what it imports, styles included. */
function neededBy(chunk: Rolldown.OutputChunk, chunks: Rolldown.OutputChunk[], found = new Set<string>()): Set<string> {
  if (found.has(chunk.fileName)) return found
  found.add(chunk.fileName)
  for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style)
  for (const imported of chunks.filter(({ fileName }) => chunk.imports.includes(fileName))) {
    neededBy(imported, chunks, found)
  }
  return found
}
