import { readFile } from 'node:fs/promises'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import { CONSOLE_SETTINGS_PLACEHOLDER, type ConsoleSettings } from '@switchboard/contract/wire/console-settings'
import type { ZodApp } from '@switchboard/server/http/zod-app'

/** A hashed file never changes under its name. */
const IMMUTABLE = 'public, max-age=31536000, immutable'

/**
 * Serves the built console. Browsers cache hashed assets for a year and revalidate other files. Every path of a page gets
 * `index.html` with the console's settings.
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
        reply.header('cache-control', isHashed ? IMMUTABLE : 'no-cache')
      },
    })
    // Password managers open this address (W3C, "A Well-Known URL for Changing Passwords"). The console asks for a
    // sign-in if there is no session.
    files.get('/.well-known/change-password', (_request, reply) => reply.redirect('/settings#change-password', 302))
    files.get('/docs', (_request, reply) => reply.redirect('/docs/admin-api.html', 302))
    files.get('/*', (request, reply) => {
      if (!isPage(request.url, request.headers.accept)) return reply.callNotFound()
      return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page)
    })
  })
}

/** Whether the request is a browser navigation: no API path, no asset, and HTML accepted. */
function isPage(url: string, accept = '*/*'): boolean {
  const [pathname = ''] = url.split('?', 1)
  return !/^\/(api|assets)\/|^\/(docs|metrics)(\/|$)|\/\.|\.\w+$/.test(pathname) && /text\/html|\*\/\*/.test(accept)
}
