import { rmSync } from 'node:fs'
import { dataFolder, startProcess } from '#tests/server-process.ts'

export const EMAIL = 'ada@switchboard.example'
export const PASSWORD = 'four kettles under plum'

/** The same servers; a test can end and restart them on the same port over the same data. */
export type RestartableServer = {
  url: string
  end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>
  start: () => Promise<void>
  remove: () => Promise<void>
}

export type Server = { url: string; aiUrl: string; dataDir: string; stop: () => Promise<void> }

/** The real servers with a separate data folder and one super admin, until they are stopped. */
export async function startServer(settings: Record<string, string> = {}): Promise<Server> {
  const dataDir = dataFolder()
  const { child, ready, output, ended } = startProcess({
    DATA_DIR: dataDir,
    SUPER_ADMIN_EMAIL: EMAIL,
    SUPER_ADMIN_PASSWORD: PASSWORD,
    ...settings,
  })
  return {
    url: await ready(),
    dataDir,
    aiUrl: /AI API +([^\s"]+)/.exec(output())?.[1] ?? '',
    stop: async () => {
      child.kill('SIGTERM')
      await ended
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** The real servers with one super admin; `end` keeps port and data for the next `start`. */
export async function startRestartable(): Promise<RestartableServer> {
  const dataDir = dataFolder()
  const settings = { DATA_DIR: dataDir, SUPER_ADMIN_EMAIL: EMAIL, SUPER_ADMIN_PASSWORD: PASSWORD }
  let running = startProcess(settings)
  const url = await running.ready()
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    running.child.kill(signal)
    await running.ended
  }
  return {
    url,
    end,
    start: async () => {
      running = startProcess({ ...settings, PORT: new URL(url).port })
      await running.ready()
    },
    remove: async () => {
      await end('SIGTERM')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
