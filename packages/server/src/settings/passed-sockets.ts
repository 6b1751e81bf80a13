/** First descriptor of the protocol (sd_listen_fds of systemd). */
const FIRST_DESCRIPTOR = 3

/**
 * Descriptors of listening sockets that the supervisor opened and passed to the process `pid`, each with its name in
 * `LISTEN_FDNAMES`: the variable of its port, such as `PORT`. Empty when the sockets are for another process.
 */
export function passedSockets(env: NodeJS.ProcessEnv, pid: number): ReadonlyMap<string, number> {
  if (env['LISTEN_PID'] !== String(pid)) return new Map()
  const names = (env['LISTEN_FDNAMES'] ?? '').split(':').slice(0, Number(env['LISTEN_FDS']))
  return new Map(names.map((name, n) => [name, FIRST_DESCRIPTOR + n]))
}
