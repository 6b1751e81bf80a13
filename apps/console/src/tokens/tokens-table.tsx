import type { ServiceToken } from '@switchboard/contract/tokens'
import { Badge } from '#src/ui/badge/badge.tsx'
import type { Column } from '#src/ui/table/column.ts'
import { PhoneRow } from '#src/ui/table/phone-row.tsx'
import { Day } from '#src/ui/time/day.tsx'
import { RelativeTime } from '#src/ui/time/relative-time.tsx'
import {
  accessText,
  networksText,
  startText,
  SUSPENDED_HELP,
  tenantsText,
  TOKEN_STATUS_BADGES,
} from './token-labels.ts'
import css from './tokens-table.module.css'

export const TOKEN_COLUMNS: Column<ServiceToken>[] = [
  { head: 'Name', cell: (token) => <Name token={token} />, skeleton: '70%' },
  { head: 'Access', cell: (token) => <Access token={token} />, width: '30%', skeleton: '60%' },
  {
    head: 'Networks',
    cell: (token) => <Networks token={token} />,
    width: '17%',
    visibleFrom: 'wide',
    skeleton: '60%',
  },
  {
    head: 'Created by',
    cell: ({ created_by_email }) => <Cut text={created_by_email} />,
    width: '18%',
    visibleFrom: 'wide',
    skeleton: '70%',
  },
  {
    head: 'Expires',
    cell: ({ expires_at }) => <Day moment={expires_at} />,
    skeleton: '80px',
  },
  { head: 'Last used', cell: (token) => <LastUse token={token} />, skeleton: '72px' },
  { head: 'Status', cell: (token) => <Status token={token} />, skeleton: '64px' },
]

/** A token on a phone. */
export function TokenPhoneRow({ token }: { token: ServiceToken }) {
  return (
    <PhoneRow
      name={<bdi>{token.name}</bdi>}
      badge={<Status token={token} />}
      facts={[
        accessText(token),
        <span key="expires">
          expires <Day moment={token.expires_at} />
        </span>,
        token.created_by_email,
      ]}
    />
  )
}

/** The name above the first characters of the secret. */
function Name({ token }: { token: ServiceToken }) {
  return (
    <>
      <div className={css.name} dir="auto" data-tooltip="cut">
        {token.name}
      </div>
      <code className={css.start}>{startText(token)}</code>
    </>
  )
}

/** The preset or the scopes, above the tenants to which the token is limited. */
function Access({ token }: { token: ServiceToken }) {
  const tenants = tenantsText(token)
  return (
    <>
      <div className={css.cut} data-tooltip={token.scopes.join(', ')}>
        {accessText(token)}
      </div>
      {tenants !== null && (
        <div className={css.address} dir="auto" data-tooltip="cut">
          {tenants}
        </div>
      )}
    </>
  )
}

function Networks({ token }: { token: ServiceToken }) {
  return <Cut text={networksText(token)} />
}

function Cut({ text }: { text: string }) {
  return (
    <div className={css.cut} data-tooltip="cut">
      {text}
    </div>
  )
}

function LastUse({ token: { last_used_at, last_used_address } }: { token: ServiceToken }) {
  if (last_used_at === null) return 'Never'
  return (
    <>
      <RelativeTime moment={last_used_at} />
      <div className={css.address} data-tooltip="cut">
        {last_used_address}
      </div>
    </>
  )
}

function Status({ token: { status } }: { token: ServiceToken }) {
  const badge = <Badge {...TOKEN_STATUS_BADGES[status]} dot />
  return status === 'suspended' ? <span data-tooltip={SUSPENDED_HELP}>{badge}</span> : badge
}
