import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { CONSOLE_SETTINGS_PLACEHOLDER } from '@switchboard/contract/wire/console-settings'
import { defineConfig, type Plugin } from 'vite'

const PRELOADED_FONT = 'inter-latin-wght-normal.woff2'

export default defineConfig({
  plugins: [react(), devSettings(), fonts(), precompress()],
  server: { proxy: { '/api': `http://127.0.0.1:${process.env['PORT'] || '3000'}` } },
  build: {
    // The first browsers with light-dark(), which src/styles/tokens.css uses.
    target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
    // The browser policy forbids data: URLs for styles and fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // Without module names: 2 kB less per screen, as the first script lists all files.
        chunkFileNames: 'assets/[hash].js',
        assetFileNames: 'assets/[hash][extname]',
        // A group takes the imports of its modules along. The bundler's own splitting makes 110 files for a list:
        // docs/decisions/0054-groups-of-the-bundler.md.
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'] },
            // The frame of every page, without its dialogs.
            { name: 'layout', test: /src[\\/]layout[\\/][^\\/]+$/ },
            // What pages show. Dialogs and forms stay with the parts that open them.
            { name: 'ui', test: /src[\\/](lists|ui[\\/](?!comparison|dialog|field|form)\w+)[\\/]/, minShareCount: 2 },
            { name: 'contract', test: /packages[\\/]contract/, minShareCount: 8 },
          ],
        },
      },
    },
  },
})

/**
 * Fills the settings block from `CONSOLE_SETTINGS`, set by `scripts/dev.ts`. admin-api fills the block in the built
 * page.
 */
function devSettings(): Plugin {
  return {
    name: 'dev-settings',
    apply: 'serve',
    transformIndexHtml: (html) =>
      html.replace(CONSOLE_SETTINGS_PLACEHOLDER, () => process.env['CONSOLE_SETTINGS'] ?? 'null'),
  }
}

/** Preloads the letters that every page shows, and ships the licenses of the fonts, which must go with them. */
function fonts(): Plugin {
  return {
    name: 'fonts',
    apply: 'build',
    async generateBundle() {
      for (const font of ['inter', 'jetbrains-mono']) {
        const license = fileURLToPath(import.meta.resolve(`@fontsource-variable/${font}/LICENSE`))
        this.emitFile({ type: 'asset', fileName: `licenses/${font}.txt`, source: await readFile(license, 'utf8') })
      }
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const letters = Object.values(bundle).find(
          (file) => file.type === 'asset' && file.originalFileNames.some((name) => name.endsWith(PRELOADED_FONT)),
        )
        if (letters === undefined) throw new Error(`The build has no ${PRELOADED_FONT}.`)
        // Browsers request fonts without cookies, also from their own origin.
        const attrs = {
          rel: 'preload',
          href: `/${letters.fileName}`,
          as: 'font',
          type: 'font/woff2',
          crossorigin: true,
        }
        return [{ tag: 'link', attrs, injectTo: 'head' }]
      },
    },
  }
}

/** Writes a `.br` and a `.gz` beside every asset, so that the server never compresses one itself. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const assets = join(dir, 'assets')
      const paths = [...(await readdir(dir)), ...(await readdir(assets)).map((name) => join('assets', name))]
      const texts = paths.filter((path) => /\.(js|css|svg)$/.test(path))
      await Promise.all(texts.map((path) => compress(join(dir, path))))
    },
  }
}

async function compress(path: string): Promise<void> {
  const content = await readFile(path)
  const brotli = brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
  await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, gzipSync(content, { level: 9 }))])
}
