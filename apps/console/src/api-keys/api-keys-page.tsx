import type { ApiKey } from '@switchboard/contract/api-keys'
import type { Tenant } from '@switchboard/contract/tenants'
import { IconBuilding, IconList } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useRouter, useSearch } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useHistoryAction } from '#src/ui/table/use-history-action.ts'
import { useCan } from '#src/lib/can.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { tenantQuery, useTenant } from '#src/tenants/tenants.api.ts'
import { focusTitle } from '#src/ui/dialog/use-focus-return.ts'
import { SegmentedControl } from '#src/ui/form/segmented-control.tsx'
import { KeyList } from './key-list.tsx'
import { KeysByTenant } from './keys-by-tenant.tsx'
import { isByTenant } from './api-keys.api.ts'
import { type KeyAction, keyActions } from './key-actions.ts'
import { useKeyToggle } from './key-toggle.tsx'
import { useFold } from './key-view.tsx'

type Open =
  | { kind: 'none' }
  | { kind: 'generate'; tenant: Tenant | null }
  | { kind: KeyAction | 'delete'; apiKey: ApiKey }

const GenerateKeyDialog = lazyPart(() =>
  import('#src/api-keys/settings/generate-key-dialog.tsx').then((code) => code.GenerateKeyDialog),
)
const RotateKeyDialog = lazyPart(() =>
  import('#src/api-keys/rotation/rotate-key-dialog.tsx').then((code) => code.RotateKeyDialog),
)
const ExtendGraceDialog = lazyPart(() =>
  import('#src/api-keys/rotation/extend-grace-dialog.tsx').then((code) => code.ExtendGraceDialog),
)
const EndGraceDialog = lazyPart(() =>
  import('#src/api-keys/rotation/end-grace-dialog.tsx').then((code) => code.EndGraceDialog),
)
const EditKeyDialog = lazyPart(() =>
  import('#src/api-keys/settings/edit-key-dialog.tsx').then((code) => code.EditKeyDialog),
)
const KeyDialog = lazyPart(() => import('#src/api-keys/diagnosis/key-dialog.tsx').then((code) => code.KeyDialog))
const DeleteKeyDialog = lazyPart(() => import('./delete-key-dialog.tsx').then((code) => code.DeleteKeyDialog))

const VIEWS = [
  { value: true, label: 'By tenant' },
  { value: false, label: 'All keys' },
]

/** The keys of all tenants, as one list or by tenant, or of one tenant. The URL holds the view, its state and the open key. */
export function ApiKeysPage() {
  const { tenantId } = useParams({ strict: false })
  const tenant = useTenant(tenantId) ?? null
  const search = useSearch({ strict: false })
  const fold = useFold()
  const { onToggle, question } = useKeyToggle()
  const historyOf = useHistoryAction('api_key')
  const canEdit = useCan('edit')
  const canDelete = useCan('delete')
  const [open, setOpen] = useState<Open>({ kind: 'none' })
  const close = () => setOpen({ kind: 'none' })
  const isGrouped = tenantId === undefined && isByTenant(search)
  const View = isGrouped ? KeysByTenant : KeyList
  const navigate = useNavigate()
  const router = useRouter()
  const wasGrouped = useRef(isGrouped)
  useEffect(() => {
    // The pressed button belonged to the other view.
    if (wasGrouped.current !== isGrouped && document.activeElement === document.body) focusTitle()
    wasGrouped.current = isGrouped
  }, [isGrouped])

  /** Both views search the names of tenants; all other filters belong to one view. */
  function switchView() {
    void navigate({
      to: '/keys',
      search: { q: search.q, view: isGrouped ? 'all' : undefined },
      resetScroll: false,
    })
  }

  function closeKey() {
    // Adds no history entry, so that Back leads to the page before the list.
    if (router.state.location.state.isKeyOpenedHere) router.history.back()
    else
      void navigate({ to: '.', search: (before) => ({ ...before, key: undefined }), replace: true, resetScroll: false })
  }

  function closeGenerate() {
    void navigate({
      to: '.',
      search: (before) => ({ ...before, generate: undefined }),
      replace: true,
      resetScroll: false,
    })
  }

  return (
    <>
      <View
        sentence={
          canDelete
            ? 'Super admins can generate and manage keys for any tenant.'
            : canEdit
              ? 'You can generate and change keys for any tenant.'
              : 'You can see the keys of every tenant, without their secrets.'
        }
        viewSwitch={
          tenantId === undefined && (
            <SegmentedControl label="View" options={VIEWS} value={isGrouped} onChange={switchView} />
          )
        }
        phoneViewActions={
          tenantId === undefined
            ? [
                {
                  label: isGrouped ? 'View All Keys' : 'View by Tenant',
                  Icon: isGrouped ? IconList : IconBuilding,
                  capability: 'view',
                  onSelect: switchView,
                },
              ]
            : []
        }
        fold={fold}
        actionsOf={(apiKey) => [
          ...keyActions(apiKey, { onToggle, onAction: (kind) => setOpen({ kind, apiKey }) }),
          historyOf(apiKey),
        ]}
        onGenerate={(chosen) => setOpen({ kind: 'generate', tenant: chosen ?? tenant })}
        onDelete={(apiKey) => setOpen({ kind: 'delete', apiKey })}
        onIntent={preloadDialogs}
      />
      {question}
      <Suspense>
        {search.key !== undefined && (
          <KeyDialog
            keyId={search.key}
            on={{
              onEdit: (apiKey) => setOpen({ kind: 'edit', apiKey }),
              onRotate: (apiKey) => setOpen({ kind: 'rotate', apiKey }),
              onExtendGrace: (apiKey) => setOpen({ kind: 'extend grace', apiKey }),
              onEndGrace: (apiKey) => setOpen({ kind: 'end grace', apiKey }),
              onDelete: (apiKey) => setOpen({ kind: 'delete', apiKey }),
              onToggle,
            }}
            onClose={closeKey}
          />
        )}
        {search.generate !== undefined && canEdit && <GenerateFor tenantId={search.generate} onClose={closeGenerate} />}
        {open.kind === 'generate' && <GenerateKeyDialog tenant={open.tenant} onClose={close} />}
        {open.kind === 'edit' && <EditKeyDialog apiKey={open.apiKey} onClose={close} />}
        {open.kind === 'rotate' && <RotateKeyDialog apiKey={open.apiKey} onClose={close} />}
        {open.kind === 'extend grace' && <ExtendGraceDialog apiKey={open.apiKey} onClose={close} />}
        {open.kind === 'end grace' && <EndGraceDialog apiKey={open.apiKey} onClose={close} />}
        {open.kind === 'delete' && (
          <DeleteKeyDialog
            apiKey={open.apiKey}
            onDeleted={() => search.key === open.apiKey.id && closeKey()}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  )
}

/** The dialog for a tenant in the URL. It asks for a tenant when this one does not exist or cannot be loaded. */
function GenerateFor({ tenantId, onClose }: { tenantId: string; onClose: () => void }) {
  const { data: tenant = null, isPending } = useQuery(tenantQuery(tenantId))
  return !isPending && <GenerateKeyDialog tenant={tenant} onClose={onClose} />
}

function preloadDialogs() {
  void RotateKeyDialog.preload?.()
  void DeleteKeyDialog.preload?.()
}
