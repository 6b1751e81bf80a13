import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { z } from 'zod'

// Asks npm's registry for known vulnerabilities of the packages that the product needs at run time. Each one found fails
// the check. A registry that does not answer, or has no advisories, is only reported: a release must not depend on it.

const root = path.resolve(import.meta.dirname, '..')
const REPORT = z.object({
  vulnerabilities: z.record(z.string(), z.object({ severity: z.string(), via: z.array(z.unknown()) })),
})
const ADVISORY = z.object({ title: z.string(), url: z.string() })

const findings = Object.entries(askRegistry()?.vulnerabilities ?? {})
for (const [name, { severity, via }] of findings) {
  const advisories = via.flatMap((one) => ADVISORY.safeParse(one).data ?? [])
  // A package without its own advisory depends on a package that has one.
  console.error(
    `${name} (${severity}): ${advisories.map(({ title, url }) => `${title} ${url}`).join(', ') || 'see below'}`,
  )
}
process.exit(findings.length > 0 ? 1 : 0)

/** The report of `npm audit`, or null and a message when the registry did not answer. */
function askRegistry(): z.infer<typeof REPORT> | null {
  const { stdout, error } = spawnSync('npm', ['audit', '--omit=dev', '--json', '--fetch-retries=0'], {
    cwd: root,
    encoding: 'utf8',
    timeout: 60_000,
    // Windows starts npm only through a shell.
    shell: process.platform === 'win32',
  })
  const report = REPORT.safeParse(parsed(stdout))
  if (report.success) return report.data
  const { message } = z.object({ message: z.string() }).safeParse(parsed(stdout)).data ?? { message: error?.message }
  console.warn(
    `Known vulnerabilities were not checked, because the registry could not be asked: ${message ?? 'no answer'}`,
  )
  return null
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}
