import { availableParallelism, loadavg } from 'node:os'

/** How long a hostile template may take, all told, on a machine with time for it. `npm run bench` holds it strictly. */
const TIME_MAX_MS = 250

/** The same for now: processes that wait for each other take longer by as much as there are too many of them. */
export function timeMaxMs(): number {
  const [load = 0] = loadavg()
  return TIME_MAX_MS * Math.max(1, (1.5 * load) / availableParallelism())
}
