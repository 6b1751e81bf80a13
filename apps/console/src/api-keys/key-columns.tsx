import type { ApiKeyRow } from '@switchboard/contract/api-keys/key-list'
import { IconChevronRight, IconCornerDownRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { counted, countText } from '#src/lib/format/count.ts'
import { Badge } from '#src/ui/badge/badge.tsx'
import { Day } from '#src/ui/time/day.tsx'
import { RelativeTime } from '#src/ui/time/relative-time.tsx'
import { columnsOfDeleted, keptUntilText } from '#src/ui/list/deleted-records.tsx'
import type { Column } from '#src/ui/table/column.ts'
import { PhoneRow } from '#src/ui/table/phone-row.tsx'
import { callTotals, keyLabel, maskedId, maskedSecret } from './api-key-labels.ts'
import { KeyCalls } from './key-calls.tsx'
import css from './key-columns.module.css'
import { stateBadge } from './key-state-labels.ts'
import type { Fold } from './key-view.ts'
import { TestBadge } from '#src/api-keys/settings/test-badge.tsx'

/** A row of the table: a key, or below its successor an old key. */
export type ShownKey = ApiKeyRow & { isOld?: boolean }

/** The rows of a page with the old keys of each unfolded key. */
export function shownKeys(rows: readonly ApiKeyRow[], { isOpen }: Fold): ShownKey[] {
  return rows.flatMap((key) => [
    key,
    ...(isOpen(key.id) ? key.old_keys.map((old) => ({ ...old, old_keys: [], deleted_at: null, isOld: true })) : []),
  ])
}

const STATE: Column<ShownKey> = {
  head: 'State',
  cell: (key) => <State apiKey={key} />,
  skeleton: '90px',
}
const ORIGINS: Column<ShownKey> = {
  head: 'Allowed origins',
  cell: (key) => <Origins origins={key.allowed_origins} />,
  width: '14%',
  visibleFrom: 'laptop',
  skeleton: '70%',
}
const CALLS: Column<ShownKey> = {
  head: 'Calls, 7 days',
  cell: (key) => <KeyCalls calls={key.recent_calls} />,
  skeleton: '80px',
}
const LAST_USED: Column<ShownKey> = {
  head: 'Last used',
  cell: ({ last_used_at }) => (last_used_at === null ? 'Never' : <RelativeTime moment={last_used_at} />),
  visibleFrom: 'laptop',
  skeleton: '50px',
}

/** The columns of the list of all keys, or of those of one tenant. */
export function keyColumns(fold: Fold, isOfTenant: boolean): Column<ShownKey>[] {
  const columns: Column<ShownKey>[] = [
    {
      head: 'Name',
      cell: (key) => (
        <>
          <KeyLink apiKey={key} />
          <div className={css.line}>
            <span className={css.mask} data-tooltip="First and last characters of the secret">
              {maskedSecret(key)}
            </span>
            <OldKeys apiKey={key} fold={fold} />
          </div>
        </>
      ),
      sort: { by: 'name', first: 'ascending' },
      skeleton: '65%',
    },
    {
      head: 'Tenant',
      isOfTenant: true,
      cell: (key) => <TenantLink apiKey={key} />,
      sort: { by: 'tenant_name', first: 'ascending' },
      width: '12%',
      skeleton: '70%',
    },
    { ...STATE, sort: { by: 'state', first: 'descending' } },
    { ...ORIGINS, sort: { by: 'allowed_origins', first: 'ascending' } },
    { ...CALLS, sort: { by: 'calls', first: 'descending' } },
    { ...LAST_USED, sort: { by: 'last_used_at', first: 'descending' } },
    {
      head: 'Expires',
      cell: ({ expires_at }) => (expires_at === null ? 'Never' : <Day moment={expires_at} />),
      sort: { by: 'expires_at', first: 'ascending' },
      visibleFrom: 'widest',
      skeleton: '50px',
    },
  ]
  return isOfTenant ? columns.filter((column) => column.isOfTenant !== true) : columns
}

/** The columns of deleted keys: until when they can be restored. */
export function deletedKeyColumns(fold: Fold, isOfTenant: boolean): Column<ShownKey>[] {
  return columnsOfDeleted(keyColumns(fold, isOfTenant), 'Last used')
}

/** The columns below a tenant. The keys of a tenant have one order. */
export function tenantKeyColumns(fold: Fold): Column<ShownKey>[] {
  return [
    {
      head: 'Name',
      cell: (key) => (
        <>
          <div className={css.line}>
            <KeyLink apiKey={key} />
            <OldKeys apiKey={key} fold={fold} />
          </div>
          <div className={`${css.second} ${css.cut}`} dir="auto" data-tooltip="cut">
            {key.description}
          </div>
        </>
      ),
      skeleton: '65%',
    },
    {
      head: 'ID, secret',
      cell: (key) => (
        <dl className={css.masks}>
          <dt>ID</dt>
          <dd data-tooltip={key.id}>{maskedId(key)}</dd>
          <dt>Secret</dt>
          <dd data-tooltip="First and last characters of the secret">{maskedSecret(key)}</dd>
        </dl>
      ),
      skeleton: '110px',
    },
    // The head of the tenant says why its keys are blocked.
    { ...STATE, cell: (key) => <State apiKey={key} length="short" /> },
    ORIGINS,
    {
      ...CALLS,
      cell: (key) => <KeyCalls calls={key.recent_calls} hasBars={false} />,
      visibleFrom: 'widest',
    },
    LAST_USED,
    {
      head: 'Created, expires',
      cell: ({ created_at, expires_at }) => (
        <>
          <Day moment={created_at} />
          <div className={css.second}>{expires_at === null ? 'Never' : <Day moment={expires_at} />}</div>
        </>
      ),
      visibleFrom: 'medium',
      skeleton: '50px',
    },
  ]
}

/** A key on a phone. */
export function KeyPhoneRow({ apiKey, fold, isOfTenant }: { apiKey: ShownKey; fold: Fold; isOfTenant: boolean }) {
  const { all, refused } = callTotals(apiKey.recent_calls)
  return (
    <PhoneRow
      name={<KeyLink apiKey={apiKey} />}
      badge={<Badge {...stateBadge(apiKey, 'short')} dot />}
      facts={[
        ...(apiKey.environment === 'test' ? [<TestBadge key="environment" apiKey={apiKey} />] : []),
        isOfTenant ? (
          <span key="secret" className={css.mask}>
            {maskedSecret(apiKey)}
          </span>
        ) : (
          <TenantLink key="tenant" apiKey={apiKey} isOnPhone />
        ),
        ...(apiKey.old_keys.length > 0 ? [<OldKeys key="old" apiKey={apiKey} fold={fold} />] : []),
        apiKey.deleted_at !== null ? (
          keptUntilText(apiKey.deleted_at)
        ) : refused > 0 ? (
          <span key="refused" className={css.refused}>
            {countText(refused)} refused
          </span>
        ) : (
          counted(all, 'call')
        ),
      ]}
      truncatedFact={apiKey.environment === 'test' ? 1 : 0}
    />
  )
}

function State({ apiKey, length }: { apiKey: ShownKey; length?: 'short' }) {
  return (
    <div className={css.states}>
      <Badge {...stateBadge(apiKey, length)} dot />
      <TestBadge apiKey={apiKey} />
    </div>
  )
}

/** Opens the drawer of the key, which a deleted key does not have. */
function KeyLink({ apiKey }: { apiKey: ShownKey }) {
  if (apiKey.deleted_at !== null) return <span className={`${css.name} ${css.lines}`}>{apiKey.name}</span>
  return (
    <div className={css.link}>
      {apiKey.isOld && <IconCornerDownRight size={14} className={css.old} aria-label="Replaced key" />}
      <Link
        to="."
        search={(before) => ({ ...before, key: apiKey.id })}
        state={(before) => ({ ...before, isKeyOpenedHere: true })}
        resetScroll={false}
        aria-label={keyLabel(apiKey)}
        className={`${css.name} ${css.lines}`}
        data-tooltip="cut"
        dir="auto"
      >
        {apiKey.name}
      </Link>
    </div>
  )
}

/** "1 old", with the switch between folded and unfolded. */
function OldKeys({ apiKey, fold }: { apiKey: ShownKey; fold: Fold }) {
  const count = apiKey.old_keys.length
  if (count === 0) return null
  return (
    <button
      type="button"
      className={css.fold}
      aria-expanded={fold.isOpen(apiKey.id)}
      aria-label={`${counted(count, 'old key')} of ${keyLabel(apiKey)}`}
      onClick={() => fold.toggle(apiKey.id)}
    >
      <IconChevronRight size={12} aria-hidden />
      {countText(count)} old
    </button>
  )
}

/** The name links to the tenant, at its keys. */
function TenantLink({
  apiKey: { tenant_id, tenant_name },
  isOnPhone = false,
}: {
  apiKey: ShownKey
  isOnPhone?: boolean
}) {
  return (
    <Link
      to="/tenants/$tenantId/keys"
      params={{ tenantId: tenant_id }}
      className={isOnPhone ? undefined : css.tenant}
      data-tooltip="cut"
      dir="auto"
    >
      {tenant_name}
    </Link>
  )
}

/** The first origin and the number of the others; all in the tooltip. */
function Origins({ origins }: { origins: readonly string[] }) {
  const [first, ...others] = origins.map((origin) => origin.replace('https://', ''))
  if (first === undefined) return 'Any origin'
  return (
    <div className={css.origins} data-tooltip={others.length === 0 ? 'cut' : [first, ...others].join(', ')}>
      <span className={css.cut}>{first}</span>
      {others.length > 0 && <span className={css.more}>+{others.length}</span>}
    </div>
  )
}
