import { rmSync } from 'node:fs'
import { dataFolder, startProcess } from '#tests/server-process.ts'

export const EMAIL = 'ada@switchboard.example'
export const PASSWORD = 'correct horse battery staple'

export type Server = { url: string; aiUrl: string; dataDir: string; stop: () => Promise<void> }

/** The real servers over a data folder of their own, with one super admin, until they are stopped. */
export async function startServer(settings: Record<string, string> = {}): Promise<Server> {
  const dataDir = dataFolder()
  const { child, ready, said, ended } = startProcess({
    DATA_DIR: dataDir,
    SUPER_ADMIN_EMAIL: EMAIL,
    SUPER_ADMIN_PASSWORD: PASSWORD,
    ...settings,
  })
  return {
    url: await ready(),
    dataDir,
    aiUrl: /AI API +(\S+)/.exec(said())?.[1] ?? '',
    stop: async () => {
      child.kill('SIGTERM')
      await ended
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
