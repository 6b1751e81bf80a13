import { readFile } from 'node:fs/promises'

const SAMPLE_MS = 100

/** Resident memory of a process in megabytes (Linux only). */
export async function residentMegabytes(pid: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_024
}

/** Runs `work` and samples the resident memory of a process meanwhile. `megabytes` is the peak. */
export async function withPeakMemory<T>(
  pid: string,
  work: () => Promise<T>,
): Promise<{ result: T; megabytes: number }> {
  let megabytes = 0
  const sample = async () => {
    megabytes = Math.max(megabytes, await residentMegabytes(pid))
  }
  const timer = setInterval(() => void sample(), SAMPLE_MS)
  try {
    const result = await work()
    return { result, megabytes }
  } finally {
    clearInterval(timer)
  }
}
