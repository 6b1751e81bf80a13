import type { Attention, AttentionTask } from '@switchboard/contract/analytics'
import { EXPIRING_DAYS } from '@switchboard/contract/key-outcomes'
import {
  IconAlertTriangle,
  IconClockExclamation,
  IconHourglassLow,
  IconKeyOff,
  IconPlayerPause,
  IconUserExclamation,
} from '@tabler/icons-react'
import { OUTCOME_WORDS } from '#src/api-keys/outcome-words.ts'
import { counted } from '#src/lib/count.ts'
import { relativeText } from '#src/lib/moment.ts'
import { type AttentionRecord, AttentionKind } from './attention-kind.tsx'

const SOON = `within ${EXPIRING_DAYS} days`

/** All kinds of what needs somebody, the most pressing first; in the same shape while what there is of them is on its way. */
export function AttentionKinds({ attention }: { attention: Attention | undefined }) {
  return (
    <ul aria-hidden={attention === undefined}>
      <AttentionKind
        found={attention?.tasks_late}
        tone="bad"
        Icon={IconClockExclamation}
        words={['late run', 'late runs', 'No late runs']}
        list={{ to: '/tasks', search: { status: 'late' } }}
        recordOf={(task) => taskRecord(task, task.at === null ? '' : `due ${relativeText(task.at)}`)}
      />
      <AttentionKind
        found={attention?.tasks_failing}
        tone="bad"
        Icon={IconAlertTriangle}
        words={['task failed its last run', 'tasks failed their last run', 'No task failed its last run']}
        list={{ to: '/tasks', search: { status: 'failing' } }}
        recordOf={(task) => taskRecord(task, task.reason ?? '')}
      />
      <AttentionKind
        found={attention?.keys_refused}
        tone="bad"
        Icon={IconKeyOff}
        words={['key is refused often', 'keys are refused often', 'No key is refused often']}
        list={{ to: '/keys', search: { attention: 'keys_refused' } }}
        recordOf={({ refused, outcome, is_replaced, ...key }) =>
          keyRecord(
            key,
            is_replaced
              ? `replaced, yet still tried: ${counted(refused, 'call')} refused`
              : `${counted(refused, 'call')} refused: ${lowerFirst(OUTCOME_WORDS[outcome])}`,
          )
        }
      />
      <AttentionKind
        found={attention?.keys_expiring}
        tone="warn"
        Icon={IconHourglassLow}
        words={[`key expires ${SOON}`, `keys expire ${SOON}`, `No key expires ${SOON}`]}
        list={{ to: '/keys', search: { attention: 'keys_expiring' } }}
        recordOf={({ expires_at, ...key }) => keyRecord(key, relativeText(expires_at))}
      />
      <AttentionKind
        found={attention?.tenants_without_admin}
        tone="warn"
        Icon={IconUserExclamation}
        words={[
          'tenant has no active admin',
          'tenants have no active admin',
          'Every active tenant has an active admin',
        ]}
        list={{ to: '/tenants', search: { attention: 'no_active_admin' } }}
        recordOf={({ id, name, admin_count }) => ({
          name,
          // Somebody is let in again, or created.
          mend: { to: admin_count > 0 ? '/users' : '/users/create', search: { tenant_id: id } },
          about: admin_count > 0 ? counted(admin_count, 'inactive user') : 'no users',
        })}
      />
      <AttentionKind
        found={attention?.tasks_paused}
        tone="quiet"
        Icon={IconPlayerPause}
        words={['task is paused', 'tasks are paused', 'No task is paused']}
        list={{ to: '/tasks', search: { status: 'paused' } }}
        recordOf={(task) => taskRecord(task, task.reason ?? 'by an admin')}
      />
    </ul>
  )
}

/** A task is called after its tenant: all tasks pull reviews. */
function taskRecord({ id, tenant_name }: AttentionTask, about: string): AttentionRecord {
  return { name: tenant_name, mend: { to: '/tasks/$taskId', params: { taskId: id } }, about }
}

/** Leads to the key, marked among those of its tenant. */
function keyRecord(
  { id, name, tenant_id, tenant_name, subdomain }: Omit<Attention['keys_expiring']['first'][number], 'expires_at'>,
  about: string,
): AttentionRecord {
  return {
    // The name that a key has when nobody gives one says it already.
    name: name.includes(tenant_name) ? name : `${name} of ${tenant_name}`,
    mend: { to: '/keys', search: { q: subdomain, open: tenant_id }, hash: id },
    about,
  }
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
