import { sealAudit } from '@switchboard/database/audit/seal-audit'
import type { Deps } from '#src/deps.ts'

/** Seals the waiting entries of the audit log. Workers take turns. */
export async function sealEntries({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  const { broken } = await sealAudit(db)
  if (broken.length > 0) log.error({ chains: broken }, 'unsealed entries of the audit log were changed or removed')
}
