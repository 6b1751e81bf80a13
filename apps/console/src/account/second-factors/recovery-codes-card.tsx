import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { counted } from '#src/lib/format/count.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { Card } from '#src/ui/card/card.tsx'
import { secondFactorsQuery, useRenewRecoveryCodes } from './second-factors.api.ts'

const ConfirmDialog = lazyPart(() => import('#src/ui/dialog/confirm-dialog.tsx').then((code) => code.ConfirmDialog))
const CodesDialog = lazyPart(() => import('./recovery-codes-dialog.tsx').then((code) => code.RecoveryCodesDialog))

type Open = { kind: 'none' | 'ask' } | { kind: 'codes'; codes: string[] }

/** The number of unused recovery codes, and a button for new ones. Nothing without a second factor. */
export function RecoveryCodesCard() {
  const { data } = useQuery(secondFactorsQuery)
  const renew = useRenewRecoveryCodes()
  const [open, setOpen] = useState<Open>({ kind: 'none' })
  const close = () => setOpen({ kind: 'none' })
  if (data === undefined || data.second_factors.length === 0) return null
  return (
    <Card
      title="Recovery codes"
      help={`${counted(data.unused_recovery_codes, 'unused code')}. Each signs you in once without your second factor.`}
      action={
        <Button variant="default" onClick={() => setOpen({ kind: 'ask' })}>
          Make New Codes
        </Button>
      }
    >
      <Suspense>
        {open.kind === 'ask' && (
          <ConfirmDialog
            title="Make New Recovery Codes"
            tone="warning"
            confirmLabel="Make New Codes"
            failure="No codes were made."
            onConfirm={async () => setOpen({ kind: 'codes', codes: (await renew.mutateAsync()).recovery_codes })}
            onClose={close}
          >
            <p>The old codes stop working at once.</p>
          </ConfirmDialog>
        )}
        {open.kind === 'codes' && <CodesDialog codes={open.codes} onClose={close} />}
      </Suspense>
    </Card>
  )
}
