import { Button } from '@mantine/core'
import type { AddedSecondFactor, SecondFactor, TotpEnrollment } from '@switchboard/contract/second-factors'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { lazyPart } from '#src/lib/lazy.tsx'
import { Card } from '#src/ui/card/card.tsx'
import { Item } from '#src/ui/list/item.tsx'
import { LoadError } from '#src/ui/page/empty-state.tsx'
import { RelativeTime } from '#src/ui/time/relative-time.tsx'
import { passkeyProblem, secondFactorsQuery, useBeginTotp } from './second-factors.api.ts'
import css from './second-factors.module.css'

const AddTotpDialog = lazyPart(() => import('./add-totp-dialog.tsx').then((code) => code.AddTotpDialog))
const AddPasskeyDialog = lazyPart(() => import('./add-passkey-dialog.tsx').then((code) => code.AddPasskeyDialog))
const CodesDialog = lazyPart(() => import('./recovery-codes-dialog.tsx').then((code) => code.RecoveryCodesDialog))
const RemoveDialog = lazyPart(() =>
  import('./remove-second-factor-dialog.tsx').then((code) => code.RemoveSecondFactorDialog),
)

type Open =
  | { kind: 'none' | 'passkey' }
  | { kind: 'totp'; enrollment: TotpEnrollment }
  | { kind: 'codes'; codes: string[] }
  | { kind: 'remove'; factor: SecondFactor }

/** The signed-in admin's second factors, with dialogs to add and remove them. `onEnrolled` follows the first one. */
export function SecondFactorsCard({ onEnrolled }: { onEnrolled?: () => void }) {
  const query = useQuery(secondFactorsQuery)
  const begin = useBeginTotp()
  const list = useRef<HTMLUListElement>(null)
  const [open, setOpen] = useState<Open>({ kind: 'none' })
  const close = () => setOpen({ kind: 'none' })
  const addApp = useRef<HTMLButtonElement>(null)
  const factors = query.data?.second_factors ?? []
  const problem = passkeyProblem()

  function onAdded({ recovery_codes }: AddedSecondFactor) {
    setOpen(recovery_codes === null ? { kind: 'none' } : { kind: 'codes', codes: recovery_codes })
  }
  // The button was disabled while the dialog was prepared, and lost the focus.
  function closeApp() {
    flushSync(close)
    addApp.current?.focus()
  }
  function closeCodes() {
    close()
    onEnrolled?.()
  }

  return (
    <Card
      title="Second factors"
      help="You are asked for one after your password. A passkey that checks your PIN, fingerprint or face also works without the password."
    >
      {query.isLoadingError ? (
        <LoadError title="The second factors could not be loaded" queries={[query]} />
      ) : (
        <ul ref={list} tabIndex={-1} aria-label="Second factors" aria-busy={query.isPending}>
          {query.isPending && <Item title="Loading second factors..." />}
          {query.data && factors.length === 0 && <Item title="No second factor yet" />}
          {factors.map((factor) => (
            <Factor key={factor.id} factor={factor} onRemove={() => setOpen({ kind: 'remove', factor })} />
          ))}
        </ul>
      )}
      <div className={css.buttons}>
        <Button
          ref={addApp}
          loading={begin.isPending}
          onClick={() => begin.mutate(undefined, { onSuccess: (enrollment) => setOpen({ kind: 'totp', enrollment }) })}
        >
          Add Authenticator App
        </Button>
        {problem === null && (
          <Button variant="default" onClick={() => setOpen({ kind: 'passkey' })}>
            Add Passkey
          </Button>
        )}
      </div>
      {problem !== null && <p className="note">{problem}</p>}
      <Suspense>
        {open.kind === 'totp' && <AddTotpDialog enrollment={open.enrollment} onAdded={onAdded} onClose={closeApp} />}
        {open.kind === 'passkey' && <AddPasskeyDialog onAdded={onAdded} onClose={close} />}
        {open.kind === 'codes' && <CodesDialog codes={open.codes} onClose={closeCodes} />}
        {open.kind === 'remove' && (
          <RemoveDialog
            factor={open.factor}
            isLast={factors.length === 1}
            onDeleted={() => list.current?.focus()}
            onClose={close}
          />
        )}
      </Suspense>
    </Card>
  )
}

function Factor({ factor, onRemove }: { factor: SecondFactor; onRemove: () => void }) {
  const { name, created_at, last_used_at } = factor
  return (
    <Item
      title={<bdi>{name}</bdi>}
      facts={
        <>
          {kindLabel(factor)} · added <RelativeTime moment={created_at} />
          {' · '}
          {last_used_at === null ? (
            'never used'
          ) : (
            <>
              last used <RelativeTime moment={last_used_at} />
            </>
          )}
        </>
      }
    >
      <Button variant="default" size="compact-md" aria-label={`Remove ${name}`} onClick={onRemove}>
        Remove
      </Button>
    </Item>
  )
}

/** "Passkey, also without a password" */
function kindLabel({ kind, is_user_verifying }: SecondFactor): string {
  if (kind === 'totp') return 'Authenticator app'
  return is_user_verifying ? 'Passkey, also without a password' : 'Passkey'
}
