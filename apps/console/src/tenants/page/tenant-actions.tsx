import { Button } from '@mantine/core'
import type { Tenant } from '@switchboard/contract/tenants'
import { IconBan, IconClockEdit, IconKey, IconPencil, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useAllowed } from '#src/lib/can.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { useReactivateTenant } from '#src/tenants/status/tenant-status.api.ts'
import { MoreMenu } from '#src/ui/dialog/more-menu.tsx'
import { HeadActions } from '#src/ui/page/head-actions.tsx'
import { useIsPhone } from '#src/ui/page/use-is-phone.ts'
import type { Action } from '#src/ui/table/row-actions.tsx'
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

/** The actions of a tenant, with their dialogs. */
export function TenantActions({ tenant, isDense }: Props) {
  const isPhone = useIsPhone()
  const allowed = useAllowed()
  const navigate = useNavigate()
  const { mutate: reactivate } = useReactivateTenant()
  const [open, setOpen] = useState<Open>('none')
  const close = () => setOpen('none')

  const edit = { capability: 'edit' } as const
  const suspension: Action[] =
    tenant.status === 'active'
      ? [{ ...edit, id: 'status', label: 'Suspend', Icon: IconBan, onSelect: () => setOpen('suspend') }]
      : [
          { ...edit, id: 'status', label: 'Reactivate', Icon: IconPlayerPlay, onSelect: () => reactivate(tenant) },
          { ...edit, label: 'Edit suspension', Icon: IconClockEdit, onSelect: () => setOpen('suspend') },
        ]
  const actions = allowed<Action>([
    { ...edit, label: 'Edit', Icon: IconPencil, onSelect: () => setOpen('edit') },
    ...suspension,
    { label: 'Delete', Icon: IconTrash, capability: 'delete', danger: true, onSelect: () => setOpen('delete') },
  ])
  const generate = allowed<Action>([
    { ...edit, label: 'Generate Key', Icon: IconKey, onSelect: () => setOpen('generate key') },
  ])
  useRequestedAction([tenant], () => [...actions, ...generate])
  return (
    <>
      {!isPhone && <HeadActions label={tenant.name} actions={actions} onIntent={preloadDialogs} />}
      {(isDense ? [] : generate).map(({ label, onSelect }) => (
        <Button
          key={label}
          variant="default"
          leftSection={<IconKey size={16} aria-hidden />}
          onPointerEnter={preloadDialogs}
          onClick={onSelect}
        >
          {label}
        </Button>
      ))}
      {isPhone && (
        <MoreMenu
          label={tenant.name}
          actions={isDense ? [...generate, ...actions] : actions}
          onIntent={preloadDialogs}
        />
      )}
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

function preloadDialogs() {
  void EditTenantDialog.preload?.()
  void GenerateKeyDialog.preload?.()
  void SuspendTenantDialog.preload?.()
  void DeleteTenantDialog.preload?.()
}
