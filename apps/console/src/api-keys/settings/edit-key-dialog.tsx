import { Textarea, TextInput } from '@mantine/core'
import { API_KEY_DESCRIPTION_MAX, API_KEY_NAME_MAX, type ApiKey, staleApiKey } from '@switchboard/contract/api-keys'
import { tenantUrl } from '@switchboard/contract/tenants/subdomain'
import { TestBadge } from './test-badge.tsx'
import { useUpdateApiKey } from '#src/api-keys/api-keys.api.ts'
import { consoleSettings } from '#src/lib/console-settings.ts'
import { fullText } from '#src/lib/format/moment.ts'
import { notify } from '#src/lib/notify.ts'
import { OriginsField, typedOrigins } from './origins-field.tsx'
import { DialogForm } from '#src/ui/form/dialog-form.tsx'
import { type ComparedField, differences } from '#src/ui/form/differences.ts'
import { RecordConflict } from '#src/ui/form/record-conflict.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { endOf, type Expiry, ExpiryField, expiryErrors } from './expiry-field.tsx'

type Draft = { name: string; description: string; allowed_origins: string; expires_at: Expiry }
/** A key as it is shown when two edits conflict. */
type Compared = Pick<ApiKey, 'name' | 'description' | 'allowed_origins' | 'expires_at'>

/** Edits the version of a key that the dialog was opened with. The secret stays. */
export function EditKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const update = useUpdateApiKey()
  const isReplaced = apiKey.grace_ends_at !== null
  const form = useFormFrame({
    initialValues: draftOf(apiKey),
    validate: ({ name, expires_at }) => ({
      name: name.trim() === '' && 'Key name is required',
      ...expiryErrors(expires_at),
    }),
    record: apiKey,
    about: { id: apiKey.id, noun: 'key' },
    stale: staleApiKey,
    send: (values, latest) => {
      const { name, description, allowed_origins, expires_at } = comparedOf(values, latest ?? apiKey)
      const expiry = values.expires_at.kind === 'unchanged' ? {} : { expires_at }
      const body = { name, description, allowed_origins, ...expiry }
      return update.mutateAsync({ apiKey: latest ?? apiKey, body })
    },
    onSaved: (saved) => {
      onClose()
      const changed = differences(FIELDS, apiKey, saved).map(({ label }) => label.toLowerCase())
      const fields = new Intl.ListFormat('en-US').format(changed)
      notify('ok', changed.length === 0 ? `${saved.name} has no changes.` : `${saved.name}: ${fields} changed.`)
    },
    failure: 'Failed to update API key.',
  })

  return (
    <DialogForm
      title="Edit API Key"
      form={form}
      submit="Save Changes"
      submitting="Updating..."
      isSubmitDisabled={typedOrigins(form.values.allowed_origins).hasProblem}
      onClose={onClose}
    >
      <RecordConflict
        form={form}
        draftOf={draftOf}
        differencesTo={(saved) => differences(FIELDS, saved, comparedOf(form.values, saved))}
      />
      {apiKey.environment === 'test' && (
        <p>
          <TestBadge apiKey={apiKey} /> The environment of a key cannot be changed.
        </p>
      )}
      <TextInput label="Name" maxLength={API_KEY_NAME_MAX} required data-autofocus {...form.getInputProps('name')} />
      <Textarea
        label="Description"
        maxLength={API_KEY_DESCRIPTION_MAX}
        rows={2}
        {...form.getInputProps('description')}
      />
      <OriginsField
        site={tenantUrl(apiKey.tenant_subdomain, consoleSettings.platform_domain)}
        {...form.control('allowed_origins')}
      />
      {isReplaced ? (
        <p>A new key has replaced this key. Its grace period sets the end.</p>
      ) : (
        <ExpiryField unchanged={expiryText(apiKey)} {...form.control('expires_at')} />
      )}
    </DialogForm>
  )
}

function draftOf({ name, description, allowed_origins }: ApiKey): Draft {
  return { name, description, allowed_origins: allowed_origins.join(', '), expires_at: { kind: 'unchanged' } }
}

/** The key after a save of the typed values. */
function comparedOf(
  { name, description, allowed_origins, expires_at }: Draft,
  { expires_at: before }: ApiKey,
): Compared {
  return {
    name: name.trim(),
    description: description.trim(),
    allowed_origins: typedOrigins(allowed_origins).origins,
    expires_at: expires_at.kind === 'unchanged' ? before : (endOf(expires_at) ?? null),
  }
}

function expiryText({ expires_at }: Pick<ApiKey, 'expires_at'>): string {
  return expires_at === null ? 'Never' : fullText(expires_at)
}

const FIELDS: ComparedField<Compared>[] = [
  { label: 'Name', text: ({ name }) => name },
  { label: 'Description', text: ({ description }) => description },
  { label: 'Allowed origins', text: ({ allowed_origins }) => allowed_origins.join(', ') },
  { label: 'Expiry', text: expiryText },
]
