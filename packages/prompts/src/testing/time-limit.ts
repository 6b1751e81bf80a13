import { availableParallelism, loadavg } from 'node:os'

/** Time limit of a hostile template on an idle machine. */
const TIME_MAX_MS = 250

/** The time limit scaled by the current load. */
export function timeMaxMs(): number {
  const [load = 0] = loadavg()
  return TIME_MAX_MS * Math.max(1, (1.5 * load) / availableParallelism())
}
