import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { environmentOf, type Script, startProcess } from '#tests/server-process.ts'

/** A server that ends and starts again on one port. */
export type RestartableServer = {
  /** Resolves when the server is ready. */
  start: () => Promise<void>
  /** Sends SIGTERM; resolves with the exit code. */
  stop: () => Promise<number | null>
  /** Ends the server permanently, without a drain. */
  end: () => Promise<void>
}

/** A server that opens its port itself. */
export function ownSocket(settings: Record<string, string>, script: Script): RestartableServer {
  let running: ReturnType<typeof startProcess> | undefined
  const kill = async (signal: NodeJS.Signals) => {
    running?.child.kill(signal)
    return (await running?.ended)?.code ?? null
  }
  return {
    start: async () => {
      running = startProcess(settings, script)
      await running.ready()
    },
    stop: async () => await kill('SIGTERM'),
    end: async () => void (await kill('SIGINT')),
  }
}

/**
 * Listens on the port of the first argument with descriptor 3, runs the command of the other arguments once for each
 * line of input, and prints its process id and exit code. In Perl, because Node cannot pass a listening socket on.
 */
const SUPERVISOR = `
  use IO::Socket::INET;
  BEGIN { $^F = 9; $| = 1 }
  my $socket = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => shift, Listen => 511, ReuseAddr => 1) or die;
  fileno($socket) == 3 or die;
  while (<STDIN>) {
    my $pid = fork;
    if ($pid == 0) { $ENV{LISTEN_PID} = $$; open STDIN, '<', '/dev/null'; exec @ARGV }
    print "pid $pid\n";
    waitpid $pid, 0;
    print 'ended ', $? >> 8, "\n";
  }`

export const isSupervisorInstalled = spawnSync('perl', ['-e', '']).status === 0

/**
 * A server behind a supervisor that listens on the port for it, as systemd's socket activation does: connections wait
 * while the server restarts. `variable` is the setting of the port.
 */
export async function keptSocket(
  settings: Record<string, string>,
  script: string,
  variable: 'PORT' | 'AI_PORT',
): Promise<RestartableServer> {
  const command = [settings[variable] ?? '', process.execPath, path.resolve(script)]
  const supervisor = spawn('perl', ['-e', SUPERVISOR, ...command], {
    env: { ...environmentOf(settings), LISTEN_FDS: '1', LISTEN_FDNAMES: variable },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const { stdin, stdout } = supervisor
  const lines = createInterface(stdout)
  let pid = 0
  const lineWith = async (pattern: RegExp) =>
    await new Promise<string>((resolve) => {
      lines.on('line', function look(line) {
        const [, found] = pattern.exec(line) ?? []
        if (found === undefined) return
        lines.off('line', look)
        resolve(found)
      })
    })
  const kill = async (signal: NodeJS.Signals) => {
    const ended = lineWith(/^ended (\d+)$/)
    process.kill(pid, signal)
    return Number(await ended)
  }
  return {
    start: async () => {
      const [started, ready] = [lineWith(/^pid (\d+)$/), lineWith(/ is ready: ([^\s"]+)/)]
      stdin.write('\n')
      pid = Number(await started)
      await ready
    },
    stop: async () => await kill('SIGTERM'),
    end: async () => {
      await kill('SIGINT')
      stdin.end()
      if (supervisor.exitCode === null) await once(supervisor, 'exit')
    },
  }
}
