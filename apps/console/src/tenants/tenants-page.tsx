import type { Tenant } from '@switchboard/contract/tenants'
import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { ButtonLink } from '#src/ui/page/button-link.tsx'
import { EmptyList } from '#src/ui/list/empty-list.tsx'
import { ListContent } from '#src/ui/list/list-content.tsx'
import { BulkBar, ExportDialog } from '#src/ui/list/lazy-parts.ts'
import { Page } from '#src/ui/page/page.tsx'
import { RefreshButton } from '#src/ui/list/refresh-button.tsx'
import { listText, totalText } from '#src/lib/format/count.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { filtersOf, withoutPage } from '#src/lists/list-params.ts'
import { useSelection } from '#src/lists/selection.ts'
import { tenantBulk } from './bulk-tenants.api.ts'
import { type TenantList, tenantPages } from './tenants.api.ts'
import { TenantsTable } from './tenants-table.tsx'
import { TenantsTools } from './tenants-tools.tsx'

type Open = { kind: 'none' } | { kind: 'export' } | { kind: 'edit' | 'delete' | 'generate key'; tenant: Tenant }

const route = getRouteApi('/signed-in/tenants')
const EditTenantDialog = lazyPart(() => import('./edit-tenant-dialog.tsx').then((code) => code.EditTenantDialog))
const GenerateKeyDialog = lazyPart(() =>
  import('#src/api-keys/generate-key-dialog.tsx').then((code) => code.GenerateKeyDialog),
)
const DeleteTenantDialog = lazyPart(() => import('./delete-tenant-dialog.tsx').then((code) => code.DeleteTenantDialog))

/** Every tenant: search, filter, sort, edit and delete. The URL holds the state of the page. */
export function TenantsPage() {
  const list = tenantPages.listOf(route.useSearch())
  const tenants = useQuery({ ...tenantPages.query(list), placeholderData: keepPreviousData })
  const selection = useSelection(list)
  const [open, setOpen] = useState<Open>({ kind: 'none' })
  const close = () => setOpen({ kind: 'none' })
  const isFiltered = filtersOf(list).length > 0
  const all = useQuery({ ...tenantPages.query(tenantPages.listOf({})), enabled: isFiltered })
  const total = tenants.data && totalOf(tenants.data.total, isFiltered ? all.data?.total : undefined)

  return (
    <Page
      title="Tenants"
      subtitle={total}
      action={
        <>
          <RefreshButton query={tenants} noun="tenants" />
          <NewTenant />
        </>
      }
    >
      <TenantsTools list={list} onExport={() => setOpen({ kind: 'export' })} />
      <ListContent query={tenants} noun="tenants" total={total} empty={<NoTenants list={list} />}>
        <TenantsTable
          page={tenants.data}
          list={list}
          selection={selection}
          busy={tenants.isPlaceholderData}
          onGenerateKey={(tenant) => setOpen({ kind: 'generate key', tenant })}
          onEdit={(tenant) => setOpen({ kind: 'edit', tenant })}
          onDelete={(tenant) => setOpen({ kind: 'delete', tenant })}
          onIntent={preloadDialogs}
        />
      </ListContent>
      <Suspense>
        {selection.ids.size > 0 && (
          <BulkBar bulk={tenantBulk(withoutPage(list))} total={tenants.data?.total} selection={selection} />
        )}
      </Suspense>
      <Suspense>
        {open.kind === 'export' && (
          <ExportDialog
            title="Export Tenants"
            content={listText(tenants.data?.total, 'tenant', filtersOf(list).length > 0)}
            start={(signal) => tenantPages.file(list, signal)}
            onClose={close}
          />
        )}
        {open.kind === 'generate key' && <GenerateKeyDialog tenant={open.tenant} onClose={close} />}
        {open.kind === 'edit' && <EditTenantDialog tenant={open.tenant} onClose={close} />}
        {open.kind === 'delete' && (
          <DeleteTenantDialog
            tenant={open.tenant}
            onDeleted={() => selection.set([open.tenant.id], false)}
            onClose={close}
          />
        )}
      </Suspense>
    </Page>
  )
}

function NewTenant() {
  return (
    <ButtonLink to="/tenants/create" leftSection={<IconPlus size={16} aria-hidden />}>
      New Tenant
    </ButtonLink>
  )
}

function NoTenants({ list }: { list: TenantList }) {
  return (
    <EmptyList
      list={list}
      noun="tenants"
      searchHelp="Search looks at names and subdomains."
      title="No tenants found. Create your first tenant to get started."
      help="A tenant is a client organisation with its own assistant, admins and API keys."
      action={<NewTenant />}
    />
  )
}

/** The line under the title: "312 tenants", "1 of 312 tenants". */
function totalOf(total: string, all: string | undefined): string {
  const tenants = (all ?? total) === '1' ? 'tenant' : 'tenants'
  return all === undefined ? `${totalText(total)} ${tenants}` : `${totalText(total)} of ${totalText(all)} ${tenants}`
}

function preloadDialogs() {
  void GenerateKeyDialog.preload?.()
  void EditTenantDialog.preload?.()
  void DeleteTenantDialog.preload?.()
}
