import { Button } from '@mantine/core'
import type { ApiKey } from '@switchboard/contract/api-keys'
import type { Tenant } from '@switchboard/contract/tenants'
import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { Announcement } from '#src/ui/page/announcement.tsx'
import { ButtonLink } from '#src/ui/page/button-link.tsx'
import { EmptyList } from '#src/ui/list/empty-list.tsx'
import { ListActions } from '#src/ui/list/list-actions.tsx'
import { LoadError } from '#src/ui/page/empty-state.tsx'
import { ListFilter } from '#src/ui/filters/list-filter.tsx'
import { ListTools } from '#src/ui/list/list-tools.tsx'
import { Notice } from '#src/ui/page/notice.tsx'
import { BulkBar, ExportDialog } from '#src/ui/list/lazy-parts.ts'
import { Page } from '#src/ui/page/page.tsx'
import { useIsPhone } from '#src/ui/page/use-is-phone.ts'
import { Pager } from '#src/ui/list/pager.tsx'
import { listText } from '#src/lib/format/count.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { useSelection } from '#src/lists/selection.ts'
import type { KeyAction } from './api-key-item.tsx'
import { exportedText, KEY_ATTENTION_OPTIONS, filterText } from './api-key-labels.ts'
import { matchingKeysQuery, refreshOpenKeys, tenantsWithKeysOf, tenantsWithKeysQuery } from './api-keys.api.ts'
import { apiKeyBulk, apiKeysFile } from './bulk-api-keys.api.ts'
import css from './api-keys-page.module.css'
import { TenantKeys, TenantKeysSkeleton } from './tenant-keys.tsx'

/** The dialogs of a key. */
type Open =
  | { kind: 'none' }
  | { kind: 'export' }
  | { kind: 'generate'; tenant: Tenant | null }
  | { kind: KeyAction; apiKey: ApiKey }

const route = getRouteApi('/signed-in/keys')
const GenerateKeyDialog = lazyPart(() => import('./generate-key-dialog.tsx').then((code) => code.GenerateKeyDialog))
const RotateKeyDialog = lazyPart(() =>
  import('#src/key-rotation/rotate-key-dialog.tsx').then((code) => code.RotateKeyDialog),
)
const ExtendGraceDialog = lazyPart(() =>
  import('#src/key-rotation/extend-grace-dialog.tsx').then((code) => code.ExtendGraceDialog),
)
const EndGraceDialog = lazyPart(() =>
  import('#src/key-rotation/end-grace-dialog.tsx').then((code) => code.EndGraceDialog),
)
const DeleteKeyDialog = lazyPart(() => import('./delete-key-dialog.tsx').then((code) => code.DeleteKeyDialog))
const KeyUseDialog = lazyPart(() => import('./key-use-dialog.tsx').then((code) => code.KeyUseDialog))

/** The keys of every tenant, by tenant. The URL lists the expanded tenants. */
export function ApiKeysPage() {
  const { list, open: opened, closed } = tenantsWithKeysOf(route.useSearch())
  const filters = { q: list.q, attention: list.attention }
  const navigate = route.useNavigate()
  const tenants = useQuery({ ...tenantsWithKeysQuery(list), placeholderData: keepPreviousData })
  const isFiltered = list.attention !== undefined
  const matching = useQuery({ ...matchingKeysQuery(list), enabled: isFiltered, placeholderData: keepPreviousData })
  const failed = [tenants, matching].filter(({ isLoadingError }) => isLoadingError)
  const total = tenants.data && listText(tenants.data.total, 'tenant', false)
  const isPhone = useIsPhone()
  const selection = useSelection(list)
  const [open, setOpen] = useState<Open>({ kind: 'none' })
  const close = () => setOpen({ kind: 'none' })

  function toggleTenant(id: string) {
    const next = new Set(isFiltered ? closed : opened)
    if (!next.delete(id)) next.add(id)
    void navigate({
      search: (before) => ({ ...before, [isFiltered ? 'closed' : 'open']: [...next].join(',') }),
      replace: true,
      resetScroll: false,
    })
  }

  return (
    <Page
      title="API Keys"
      subtitle={isPhone ? total : 'Super admins can generate and manage keys for any tenant.'}
      isList
      action={
        <ListActions
          title="API Keys"
          noun="API keys"
          query={tenants}
          onRefresh={refreshOpenKeys}
          onExport={() => setOpen({ kind: 'export' })}
        >
          <Button
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setOpen({ kind: 'generate', tenant: null })}
          >
            Generate Key
          </Button>
        </ListActions>
      }
    >
      <ListTools list={list} searchLabel="Search tenants" onExport={() => setOpen({ kind: 'export' })}>
        <ListFilter list={list} name="attention" label="Attention" all="All keys" options={KEY_ATTENTION_OPTIONS} />
      </ListTools>
      <Announcement>{tenants.isPending || tenants.isPlaceholderData ? 'Loading tenants...' : total}</Announcement>
      {failed.length > 0 ? (
        <LoadError
          title={`The ${failed.includes(tenants) ? 'tenants' : 'keys'} could not be loaded`}
          queries={failed}
          failure="An unexpected error occurred."
        />
      ) : tenants.data === undefined || (isFiltered && matching.data === undefined) ? (
        <div className={css.tenants}>
          <TenantKeysSkeleton />
        </div>
      ) : tenants.data.rows.length === 0 ? (
        <EmptyList
          list={list}
          noun="tenants"
          searchHelp="Search looks at names and subdomains."
          title="No tenants found."
          help="Keys belong to tenants: create one first."
          action={<ButtonLink to="/tenants/create">New Tenant</ButtonLink>}
        />
      ) : (
        <>
          <div className={css.tenants}>
            {list.attention !== undefined && (
              <Notice tone="info">
                {filterText(list.attention, matching.data?.length ?? 0)} Only these are shown.
              </Notice>
            )}
            {tenants.data.rows.map((tenant) => (
              <TenantKeys
                key={tenant.id}
                tenant={tenant}
                isOpen={isFiltered ? !closed.has(tenant.id) : opened.has(tenant.id)}
                only={isFiltered ? new Set(matching.data) : undefined}
                isByRefusals={list.attention === 'keys_refused'}
                selection={selection}
                onToggle={() => toggleTenant(tenant.id)}
                onGenerate={() => setOpen({ kind: 'generate', tenant })}
                onAction={(kind, apiKey) => setOpen({ kind, apiKey })}
              />
            ))}
          </div>
          <Pager page={tenants.data} limit={list.limit} />
        </>
      )}
      <Suspense>
        {selection.ids.size > 0 && <BulkBar bulk={apiKeyBulk(filters)} total={undefined} selection={selection} />}
      </Suspense>
      <Suspense>
        {open.kind === 'export' && (
          <ExportDialog
            title="Export API Keys"
            content={exportedText(filters)}
            start={(signal) => apiKeysFile(filters, signal)}
            onClose={close}
          />
        )}
        {open.kind === 'generate' && <GenerateKeyDialog tenant={open.tenant} onClose={close} />}
        {open.kind === 'rotate' && <RotateKeyDialog apiKey={open.apiKey} onClose={close} />}
        {open.kind === 'extend grace' && <ExtendGraceDialog apiKey={open.apiKey} onClose={close} />}
        {open.kind === 'end grace' && <EndGraceDialog apiKey={open.apiKey} onClose={close} />}
        {open.kind === 'delete' && (
          <DeleteKeyDialog
            apiKey={open.apiKey}
            onDeleted={() => selection.set([open.apiKey.id], false)}
            onClose={close}
          />
        )}
        {open.kind === 'use' && <KeyUseDialog apiKey={open.apiKey} onClose={close} />}
      </Suspense>
    </Page>
  )
}
