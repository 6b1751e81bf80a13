import { Button } from '@mantine/core'
import type { ServiceToken } from '@switchboard/contract/tokens'
import { IconBan, IconHistory, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { counted } from '#src/lib/format/count.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { ExternalLink } from '#src/ui/button/external-link.tsx'
import { Announcement } from '#src/ui/notice/announcement.tsx'
import { EmptyState, LoadError } from '#src/ui/page/empty-state.tsx'
import { Page } from '#src/ui/page/page.tsx'
import { DataTable } from '#src/ui/table/data-table.tsx'
import type { Action } from '#src/ui/table/action.ts'
import { tokensQuery } from './tokens.api.ts'
import { TOKEN_COLUMNS, TokenPhoneRow } from './tokens-table.tsx'

const CreateTokenDialog = lazyPart(() => import('./create-token-dialog.tsx').then((code) => code.CreateTokenDialog))
const RevokeTokenDialog = lazyPart(() => import('./revoke-token-dialog.tsx').then((code) => code.RevokeTokenDialog))

type Open = { kind: 'none' } | { kind: 'create' } | { kind: 'revoke'; token: ServiceToken }

/** Service tokens: access of programs to both APIs. */
export function TokensPage() {
  const tokens = useQuery(tokensQuery)
  const navigate = useNavigate()
  const [open, setOpen] = useState<Open>({ kind: 'none' })
  const close = () => setOpen({ kind: 'none' })
  const count = tokens.data?.length
  const newToken = (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      onPointerEnter={() => void CreateTokenDialog.preload()}
      onClick={() => setOpen({ kind: 'create' })}
    >
      New Token
    </Button>
  )

  function actionsOf(token: ServiceToken): Action[] {
    const history = {
      label: 'Activity',
      Icon: IconHistory,
      capability: 'view' as const,
      onSelect: () => void navigate({ to: '/settings/activity', search: { actor: token.id } }),
    }
    if (token.status === 'revoked') return [history]
    return [
      history,
      {
        label: 'Revoke',
        Icon: IconBan,
        capability: 'tokens',
        danger: true,
        onSelect: () => setOpen({ kind: 'revoke', token }),
      },
    ]
  }

  return (
    <Page
      title="Service tokens"
      subtitle={
        <>
          Access of programs to the AI API and the admin API. <ExternalLink href="/docs" text="API reference" />
        </>
      }
      action={count !== undefined && count > 0 && newToken}
      isList
    >
      <Announcement>{count === undefined ? 'Loading tokens...' : counted(count, 'token')}</Announcement>
      {tokens.isLoadingError ? (
        <LoadError title="The tokens could not be loaded" queries={[tokens]} />
      ) : count === 0 ? (
        <EmptyState
          title="No service tokens yet"
          help="A token lets a program call the APIs with the scopes that you choose. You see its secret once."
          action={newToken}
        />
      ) : (
        <DataTable
          label="Service tokens"
          columns={TOKEN_COLUMNS}
          rows={tokens.data}
          rowId={({ id }) => id}
          nameOf={({ name }) => name}
          actionsOf={actionsOf}
          renderPhoneRow={(token) => <TokenPhoneRow token={token} />}
        />
      )}
      <Suspense>
        {open.kind === 'create' && <CreateTokenDialog onClose={close} />}
        {open.kind === 'revoke' && <RevokeTokenDialog token={open.token} onClose={close} />}
      </Suspense>
    </Page>
  )
}
