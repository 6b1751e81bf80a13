import type { Tenant } from '@switchboard/contract/tenants'
import { IconBan, IconClockEdit, IconKey, IconPencil, IconPlayerPlay, IconTrashX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { LIST_PAGE } from '#src/lists/list-page.ts'
import { ListScreen } from '#src/ui/list/list-screen.tsx'
import type { Action } from '#src/ui/table/action.ts'
import { useHistoryAction } from '#src/ui/table/use-history-action.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import type { Filter } from '#src/lists/filters.ts'
import { withoutPage } from '#src/lists/list-params.ts'
import { ATTENTION_OPTIONS, STATUS_OPTIONS, TYPE_OPTIONS } from './tenant-labels.ts'
import { tenantBulk } from './bulk-tenants.api.ts'
import { restoreDeleted } from '#src/tenants/deletion/deleted-tenants.api.ts'
import { useRestoreAction } from '#src/ui/list/deleted-records.tsx'
import { tagOptionsQuery, type TenantList, tenantPages } from './tenants.api.ts'
import { useReactivateTenant } from '#src/tenants/status/tenant-status.api.ts'
import { DELETED_COLUMNS, TENANT_COLUMNS, TenantPhoneRow } from './tenants-table.tsx'

type Open = { kind: 'edit' | 'generate key' | 'suspend' | 'purge'; tenant: Tenant }

const SORTS = [
  { value: '-created_at', label: 'Newest' },
  { value: 'created_at', label: 'Oldest' },
  { value: 'name', label: 'Name A–Z' },
  { value: '-name', label: 'Name Z–A' },
  { value: 'subdomain', label: 'Subdomain A–Z' },
  { value: '-subdomain', label: 'Subdomain Z–A' },
  { value: '-admin_count', label: 'Most admins' },
  { value: 'admin_count', label: 'Fewest admins' },
] satisfies { value: TenantList['sort']; label: string }[]

const route = getRouteApi('/signed-in/tenants')
const EditTenantDialog = lazyPart(() => import('./edit-tenant-dialog.tsx').then((code) => code.EditTenantDialog))
const GenerateKeyDialog = lazyPart(() =>
  import('#src/api-keys/settings/generate-key-dialog.tsx').then((code) => code.GenerateKeyDialog),
)
const SuspendTenantDialog = lazyPart(() =>
  import('#src/tenants/status/suspend-tenant-dialog.tsx').then((code) => code.SuspendTenantDialog),
)
const PurgeTenantDialog = lazyPart(() =>
  import('#src/tenants/deletion/purge-tenant-dialog.tsx').then((code) => code.PurgeTenantDialog),
)
const DeleteTenantDialog = lazyPart(() =>
  import('#src/tenants/deletion/delete-tenant-dialog.tsx').then((code) => code.DeleteTenantDialog),
)

/** Every tenant: search, filter, sort, edit and delete. The URL holds the state of the page. */
export function TenantsPage() {
  const list = tenantPages.listOf(route.useSearch())
  const tenants = useQuery({ ...tenantPages.query(list), ...LIST_PAGE })
  const historyOf = useHistoryAction('tenant')
  const { mutate: reactivate } = useReactivateTenant()
  const restoreOf = useRestoreAction<Tenant>(restoreDeleted, ({ name }) => name)
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const statusActions = (tenant: Tenant): Action[] => {
    const edit = {
      capability: 'edit',
      onSelect: () => setOpen({ kind: 'suspend', tenant }),
    } as const
    if (tenant.status === 'active') return [{ label: 'Suspend', Icon: IconBan, danger: true, ...edit }]
    return [
      { ...edit, label: 'Reactivate', Icon: IconPlayerPlay, onSelect: () => reactivate(tenant) },
      { label: 'Edit Suspension', Icon: IconClockEdit, ...edit },
    ]
  }
  const isDeleted = list.deleted !== undefined
  const deletedActions = (tenant: Tenant): Action[] => [
    restoreOf(tenant),
    historyOf(tenant),
    {
      label: 'Delete Permanently',
      Icon: IconTrashX,
      capability: 'delete',
      danger: true,
      onSelect: () => setOpen({ kind: 'purge', tenant }),
    },
  ]
  const { data: tags = [] } = useQuery(tagOptionsQuery)
  const filters: Filter<keyof TenantList>[] = [
    { kind: 'options', name: 'status', label: 'Status', options: STATUS_OPTIONS, hasDeleted: true },
    { kind: 'options', name: 'tenant_type', label: 'Type', options: TYPE_OPTIONS },
    { kind: 'options', name: 'attention', label: 'Attention', options: ATTENTION_OPTIONS },
    ...(tags.length === 0 ? [] : [{ kind: 'options', name: 'tag', label: 'Tag', options: tags } as const]),
    { kind: 'days', label: 'Created', from: 'created_from', to: 'created_to' },
    { kind: 'link', name: 'id', label: '', text: 'One tenant' },
  ]

  return (
    <ListScreen
      title="Tenants"
      noun="tenant"
      list={list}
      query={tenants}
      saved={{ list: 'tenants', Total: tenantPages.Total }}
      all={tenantPages.useTotal(tenantPages.listOf({}), list)}
      create={{ to: '/tenants/create', label: 'New Tenant' }}
      importTo="/tenants/import"
      searchLabel="Search name or subdomain"
      sorts={SORTS}
      filters={filters}
      empty={{
        searchHelp: 'Search looks at names and subdomains.',
        title: 'No tenants found. Create your first tenant to get started.',
        help: 'A tenant is a client organization with its own assistant, admins and API keys.',
      }}
      columns={isDeleted ? DELETED_COLUMNS : TENANT_COLUMNS}
      nameOf={(tenant) => tenant.name}
      actionsOf={(tenant, remove) =>
        tenant.deleted_at !== null
          ? deletedActions(tenant)
          : [
              {
                label: 'Generate Key',
                Icon: IconKey,
                capability: 'edit',
                onSelect: () => setOpen({ kind: 'generate key', tenant }),
              },
              {
                label: 'Edit',
                shortcut: 'E',
                Icon: IconPencil,
                capability: 'edit',
                onSelect: () => setOpen({ kind: 'edit', tenant }),
              },
              ...statusActions(tenant),
              historyOf(tenant),
              remove,
            ]
      }
      renderDeletion={(tenant, on) => <DeleteTenantDialog tenant={tenant} {...on} />}
      renderPhoneRow={(tenant) => <TenantPhoneRow tenant={tenant} />}
      bulk={tenantBulk(withoutPage(list))}
      file={(signal) => tenantPages.file(list, signal)}
      onIntent={preloadDialogs}
    >
      {open?.kind === 'generate key' && <GenerateKeyDialog tenant={open.tenant} onClose={close} />}
      {open?.kind === 'suspend' && <SuspendTenantDialog tenant={open.tenant} onClose={close} />}
      {open?.kind === 'purge' && <PurgeTenantDialog tenant={open.tenant} onClose={close} />}
      {open?.kind === 'edit' && <EditTenantDialog tenant={open.tenant} onClose={close} />}
    </ListScreen>
  )
}

function preloadDialogs() {
  void GenerateKeyDialog.preload?.()
  void EditTenantDialog.preload?.()
  void DeleteTenantDialog.preload?.()
}
