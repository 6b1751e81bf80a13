import { Button, NativeSelect } from '@mantine/core'
import { type ApiKey, type GraceSeconds, graceSeconds, rotateApiKey } from '@switchboard/contract/api-keys'
import { type SubmitEvent, useId, useState } from 'react'
import { Dialog, DialogFooter, DialogMain } from '#src/ui/dialog/dialog.tsx'
import { Notice } from '#src/ui/page/notice.tsx'
import { CallError, messageOf } from '#src/lib/call-error.ts'
import { useStay } from '#src/lib/use-leave-blocker.ts'
import { GRACE_OPTIONS, lifetimeText } from '#src/api-keys/api-key-labels.ts'
import { useRotateApiKey } from '#src/api-keys/api-keys.api.ts'
import { endOf, type Expiry, ExpiryField } from '#src/api-keys/expiry-field.tsx'
import css from '#src/api-keys/key-form.module.css'
import { SecretDialog } from '#src/api-keys/secret-dialog.tsx'

/** Replaces a key by a new one; the old one goes on working for a while (reference 4.5). */
export function RotateKeyDialog({ apiKey: opened, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const formId = useId()
  const [apiKey, setApiKey] = useState(opened)
  const rotation = useRotateApiKey(apiKey)
  const current = currentOf(rotation.error)
  const [grace, setGrace] = useState<GraceSeconds>(86_400)
  const [expiry, setExpiry] = useState<Expiry>({ kind: 'same_lifetime' })
  const [isTried, setIsTried] = useState(false)
  const expires_at = endOf(expiry)
  // The secret is in the answer and nowhere else.
  useStay(rotation.isPending || rotation.isSuccess)

  function submit(event: SubmitEvent) {
    event.preventDefault()
    setIsTried(true)
    if (rotation.isPending || expires_at === undefined || current !== null) return
    rotation.mutate({ grace_seconds: grace, expires_at })
  }

  function reload(key: ApiKey) {
    setApiKey(key)
    rotation.reset()
  }

  if (rotation.data) {
    return (
      <SecretDialog
        secret={rotation.data.api_key}
        onDone={() => {
          rotation.reset()
          onClose()
        }}
      />
    )
  }
  return (
    <Dialog title="Rotate API Key" busy={rotation.isPending} onClose={onClose}>
      <DialogMain>
        <form id={formId} className={css.fields} onSubmit={submit} noValidate>
          {rotation.isError && (
            <Notice tone={current ? 'warn' : 'bad'}>
              {messageOf(rotation.error, 'Failed to rotate API key.')}
              {current && (
                <>
                  {' '}
                  Nothing was rotated. Reload to rotate the key as it is now.
                  <div className={css.reload}>
                    <Button variant="default" size="compact-md" onClick={() => reload(current)}>
                      Reload
                    </Button>
                  </div>
                </>
              )}
            </Notice>
          )}
          <p>
            A new key takes the place of <strong dir="auto">{apiKey.name}</strong>, with the same origins.
          </p>
          <NativeSelect
            label="Keep the old key working for"
            value={String(grace)}
            data={GRACE_OPTIONS.map(({ seconds, label }) => ({ value: String(seconds), label }))}
            disabled={rotation.isPending}
            data-autofocus
            onChange={(event) => setGrace(graceSeconds.parse(Number(event.currentTarget.value)))}
          />
          <ExpiryField
            value={expiry}
            lifetimeBefore={lifetimeText(apiKey)}
            isTried={isTried}
            disabled={rotation.isPending}
            onChange={setExpiry}
          />
        </form>
      </DialogMain>
      <DialogFooter>
        <Button variant="default" disabled={rotation.isPending} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" form={formId} loading={rotation.isPending} disabled={current !== null}>
          Rotate Key
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

/** The key as it is now, when somebody else has changed it since the dialog was opened. */
function currentOf(error: unknown): ApiKey | null {
  if (!(error instanceof CallError) || error.status !== 412) return null
  return rotateApiKey.schema.response[412].safeParse(error.body).data?.current ?? null
}
