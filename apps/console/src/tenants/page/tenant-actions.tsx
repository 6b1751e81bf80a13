import { Button } from '@mantine/core'
import type { Tenant } from '@switchboard/contract/tenants'
import { IconBan, IconClockEdit, IconKey, IconPencil, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useAllowed, useCan } from '#src/lib/can.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { useReactivateTenant } from '#src/tenants/status/tenant-status.api.ts'
import { ButtonLink } from '#src/ui/button/button-link.tsx'
import { HeadActions } from '#src/ui/page/head-actions.tsx'
import type { Action } from '#src/ui/table/action.ts'
import { useRequestedAction } from '#src/ui/table/use-requested-action.ts'

type Open = 'none' | 'edit' | 'generate key' | 'suspend' | 'delete'

const EditTenantDialog = lazyPart(() =>
  import('#src/tenants/edit-tenant-dialog.tsx').then((code) => code.EditTenantDialog),
)
const GenerateKeyDialog = lazyPart(() =>
  import('#src/api-keys/settings/generate-key-dialog.tsx').then((code) => code.GenerateKeyDialog),
)
const SuspendTenantDialog = lazyPart(() =>
  import('#src/tenants/status/suspend-tenant-dialog.tsx').then((code) => code.SuspendTenantDialog),
)
const DeleteTenantDialog = lazyPart(() =>
  import('#src/tenants/deletion/delete-tenant-dialog.tsx').then((code) => code.DeleteTenantDialog),
)

type Props = {
  tenant: Tenant
  /** All actions are in the menu. */
  isDense: boolean
}

/** The actions of a tenant, with their dialogs. The next step of a new tenant is the primary button. */
export function TenantActions({ tenant, isDense }: Props) {
  const canEdit = useCan('edit')
  const allowed = useAllowed()
  const navigate = useNavigate()
  const { mutate: reactivate } = useReactivateTenant()
  const [open, setOpen] = useState<Open>('none')
  const close = () => setOpen('none')

  const edit = { capability: 'edit' } as const
  const isActive = tenant.status === 'active'
  const step = isActive && !isDense ? nextStepOf(tenant) : 'none'
  const change: Action = { ...edit, label: 'Edit', Icon: IconPencil, onSelect: () => setOpen('edit') }
  const suspend: Action = { ...edit, label: 'Suspend', Icon: IconBan, danger: true, onSelect: () => setOpen('suspend') }
  const generate: Action = { ...edit, label: 'Generate Key', Icon: IconKey, onSelect: () => setOpen('generate key') }
  const ofSuspension: Action[] = [
    { ...edit, label: 'Reactivate', Icon: IconPlayerPlay, onSelect: () => reactivate(tenant) },
    { ...edit, label: 'Edit Suspension', Icon: IconClockEdit, onSelect: () => setOpen('suspend') },
  ]
  const actions = allowed([change, isActive ? suspend : generate])
  const more = allowed<Action>([
    ...(isActive ? (step === 'key' ? [] : [generate]) : ofSuspension),
    { label: 'Delete', Icon: IconTrash, capability: 'delete', danger: true, onSelect: () => setOpen('delete') },
  ])
  useRequestedAction([tenant], () => allowed([...actions, ...more, generate]))
  return (
    <>
      <HeadActions label={tenant.name} actions={actions} more={more} isDense={isDense} onIntent={preloadDialogs}>
        {canEdit && step === 'user' && (
          <ButtonLink to="/users/create" search={{ tenant_id: tenant.id }}>
            Add User
          </ButtonLink>
        )}
        {canEdit && step === 'key' && <Button onClick={generate.onSelect}>Generate Key</Button>}
      </HeadActions>
      <Suspense>
        {open === 'edit' && <EditTenantDialog tenant={tenant} onClose={close} />}
        {open === 'generate key' && <GenerateKeyDialog tenant={tenant} onClose={close} />}
        {open === 'suspend' && <SuspendTenantDialog tenant={tenant} onClose={close} />}
        {open === 'delete' && (
          <DeleteTenantDialog tenant={tenant} onDeleted={() => void navigate({ to: '/tenants' })} onClose={close} />
        )}
      </Suspense>
    </>
  )
}

function nextStepOf({ admin_count, api_key_count }: Tenant): 'user' | 'key' | 'none' {
  if (admin_count === 0) return 'user'
  return api_key_count === 0 ? 'key' : 'none'
}

function preloadDialogs() {
  void EditTenantDialog.preload?.()
  void GenerateKeyDialog.preload?.()
  void SuspendTenantDialog.preload?.()
  void DeleteTenantDialog.preload?.()
}
