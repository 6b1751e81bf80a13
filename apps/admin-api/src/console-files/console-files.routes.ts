import { readFile } from 'node:fs/promises'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import { CONSOLE_SETTINGS_PLACEHOLDER, type ConsoleSettings } from '@switchboard/contract/console-settings'
import type { ZodApp } from '@switchboard/server/zod-app'

/**
 * Serves the built console: hashed assets for ever, everything else checked anew, and `index.html` with what the
 * console must know for every path that is a page.
 */
export async function addConsoleFiles(app: ZodApp, folder: string, settings: ConsoleSettings): Promise<void> {
  const template = await readFile(path.join(folder, 'index.html'), 'utf8')
  // "<" is escaped so that no setting can end the block.
  const page = template.replace(CONSOLE_SETTINGS_PLACEHOLDER, () => JSON.stringify(settings).replaceAll('<', '\\u003c'))

  await app.register(async (files) => {
    files.addHook('onRoute', (route) => {
      route.config = { ...route.config, public: true }
      route.schema = { ...route.schema, hide: true }
    })
    await files.register(fastifyStatic, {
      root: folder,
      wildcard: false,
      index: false,
      preCompressed: true,
      cacheControl: false,
      acceptRanges: false,
      globIgnore: ['**/index.html', '**/*.br', '**/*.gz'],
      setHeaders: (reply, file) => {
        const isHashed = file.includes(`${path.sep}assets${path.sep}`)
        reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
    files.get('/*', (request, reply) => {
      if (!isPage(request.url, request.headers.accept)) return reply.callNotFound()
      return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page)
    })
  })
}

/** Neither a call, nor a file that is gone, nor asked for by something that does not read pages. */
function isPage(url: string, accept = '*/*'): boolean {
  const [pathname = ''] = url.split('?', 1)
  return !/^\/(api|assets|docs)\/|\/\.|\.\w+$/.test(pathname) && /text\/html|\*\/\*/.test(accept)
}
