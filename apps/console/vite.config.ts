import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { CONSOLE_SETTINGS_PLACEHOLDER } from '@switchboard/contract/wire/console-settings'
import { defineConfig, type Plugin } from 'vite'

/** The frame of every screen after the sign-in. */
const FRAME = /src[\\/](layout[\\/]console-layout|sign-ins[\\/]sign-ins\.api|auth[\\/]session\.api)/
/** The parts of its page that are not parts of a table. */
const PAGE = /src[\\/]ui[\\/](page[\\/](page|empty|skeleton)|badge|button|card[\\/]card|time|dialog[\\/]more)/
const ACTIONS = /src[\\/]ui[\\/]table[\\/](row-actions|use-requested-action)/

export default defineConfig({
  plugins: [react(), devSettings(), precompress()],
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
        codeSplitting: {
          // Fewer and larger files compress better: docs/decisions/0035-libraries-by-their-public-api.md. A module goes to
          // the first group that matches, with its imports. Forms share imports with lists but need no list.
          groups: [
            { name: 'start', tags: ['$initial'] },
            // The sign-in page shows these without the data.
            {
              name: 'brand',
              test: /ui[\\/](page[\\/]brand|notice[\\/]notice|badge[\\/]tones)|scroll-into-view|components[\\/]ActionIcon/,
            },
            {
              name: 'data',
              test: /node_modules[\\/](zod|@tanstack)[\\/]|src[\\/]lib[\\/]|src[\\/]wire[\\/](?!bulk|export|list-)/,
              minShareCount: 5,
            },
            // The frame of every screen after the sign-in and the parts of its page, with all that they import.
            { name: 'signed-in', test: (id) => [FRAME, PAGE, ACTIONS].some((part) => part.test(id)) },
            { name: 'icons', test: /@tabler/, minShareCount: 8 },
            { name: 'table', test: /console[\\/]src[\\/]ui[\\/]table[\\/]/, minShareCount: 6 },
            {
              name: 'list',
              test: /console[\\/]src[\\/]ui[\\/](filters|list|table)[\\/]/,
              minShareCount: 4,
              includeDependenciesRecursively: false,
            },
            { name: 'lists', test: /src[\\/](lists|wire|ui[\\/]field[\\/](field|select))/, minShareCount: 4 },
            // The tenants of lists and forms. The dashboard shows none of these.
            {
              name: 'tenants',
              test: /src[\\/](tenants\.ts|tenants[\\/]tenants\.api)/,
              minShareCount: 4,
              includeDependenciesRecursively: false,
            },
            {
              name: 'tenant',
              test: /console[\\/]src[\\/](tenants[\\/].*-labels|tenant-status[\\/].*api)/,
              minShareCount: 4,
              includeDependenciesRecursively: false,
            },
            {
              name: 'select',
              // Without the selects of lists, which a form would load with the list.
              test: /(?<!-filter)-select\.(tsx|module\.css)|use-debounced-value/,
              minShareCount: 4,
              includeDependenciesRecursively: false,
            },
            { name: 'fields', test: /components[\\/](Input|TextInput|CloseButton)/, minShareCount: 4 },
            // One file for the small rules that most screens share.
            {
              name: 'contract',
              test: /packages[\\/]contract[\\/]/,
              maxModuleSize: 1_500,
              minShareCount: 6,
              includeDependenciesRecursively: false,
            },
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
