import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { CONSOLE_SETTINGS_PLACEHOLDER, type ConsoleSettings } from '@switchboard/contract/console-settings'
import { defineConfig, type Plugin } from 'vite'
import { firstFiles } from './first-files.ts'

/**
 * What a screen loads comes in ten files instead of in fifty to eighty: a phone asks for six at a time, and each time
 * costs it a round trip. Together they are smaller too, by a tenth. What a file imports goes with it, unless a group
 * further up has it; dialogs and the like, which are imported when they open, do not.
 */
const FEWER_CHUNKS = [
  // Two of a size arrive side by side.
  { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
  // What /login shares with the other screens,
  {
    name: 'base',
    test: filesOf('main brand notice use-session scroll-into-view ActionIcon IconCircleCheck password-field TextInput'),
  },
  // what these have in common,
  {
    name: 'console',
    test: filesOf(`
      session.api console-layout page announcement empty-state badge breadcrumb card data-table phone-row moment count
      useQuery useMutation queryOptions dashboard.api tenant-status schedule-names key-outcomes outcome-words
      admin-words passwords IconRefresh IconPlayerPause IconChartBar`),
  },
  // all of them but / and /settings,
  {
    name: 'lists',
    test: filesOf(`
      list-table list-tools list-content empty-list created-filter tenant-select tenants.api tenant-filter-select
      admins.api tenant-words selection use-history-action day form.module IconPlus IconTrash IconPencil`),
  },
  // and a few.
  { name: 'keys', test: filesOf('api-keys.api api-key-words') },
  {
    name: 'tasks',
    test: filesOf('tasks.api task-words sample-maps-notice schedule-words use-run-task-now IconPlayerPlay'),
  },
  { name: 'prompts', test: filesOf('prompts.api useBlocker Textarea') },
]

/** Matches the modules with one of these names. */
function filesOf(names: string): RegExp {
  return new RegExp(`[\\\\/](${names.trim().split(/\s+/).join('|')})\\.(css|tsx?|m?js)$`)
}

export default defineConfig({
  plugins: [react(), devSettings(), firstFiles(), compileEarly(), precompress()],
  server: { proxy: { '/api': 'http://127.0.0.1:3000' } },
  build: {
    // The first browsers that know light-dark(), which the colour tokens are written in.
    target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
    // Inlined assets would be data: URLs, which the browser policy refuses for styles and fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: FEWER_CHUNKS } } },
  },
})

/** Fills the settings block that admin-api fills when it serves the built `index.html`. */
function devSettings(): Plugin {
  const settings: ConsoleSettings = {
    brand_name: 'Switchboard',
    platform_domain: 'switchboard.example',
    default_allowed_origin: 'https://api.switchboard.example',
    sample_maps: true,
  }
  return {
    name: 'dev-settings',
    apply: 'serve',
    transformIndexHtml: (html) => html.replace(CONSOLE_SETTINGS_PLACEHOLDER, JSON.stringify(settings)),
  }
}

/**
 * Asks the browser to compile the largest files beside the page while they arrive (v8.dev/blog/explicit-compile-hints):
 * what it puts off it compiles function by function when they run, and nothing can be clicked meanwhile.
 */
function compileEarly(): Plugin {
  return {
    name: 'compile-early',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler: (_, bundle) => {
        for (const file of Object.values(bundle)) {
          if (file.type === 'chunk' && file.code.length > 80_000)
            file.code = `//# allFunctionsCalledOnLoad\n${file.code}`
        }
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
      const names = (await readdir(assets)).filter((name) => /\.(js|css|svg)$/.test(name))
      await Promise.all(names.map((name) => compress(join(assets, name))))
    },
  }
}

async function compress(path: string): Promise<void> {
  const content = await readFile(path)
  const brotli = brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
  await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, gzipSync(content, { level: 9 }))])
}
