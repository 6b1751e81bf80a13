import { sendTestMail as endpoint } from '@switchboard/contract/mail'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { actorOf } from '#src/auth/authenticate.service.ts'
import type { Deps } from '#src/deps.ts'
import { sendTestMail } from './mail.service.ts'

export function addMailRoutes(app: ZodApp, deps: Deps): void {
  app.route({ ...endpoint, handler: (request) => sendTestMail(deps, actorOf(request)) })
}
