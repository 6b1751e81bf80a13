import type { NewApiKey } from '@switchboard/contract/api-keys'
import { TestBadge } from './test-badge.tsx'
import { letInText } from './origin-labels.ts'
import { SecretDialog } from '#src/ui/dialog/secret-dialog.tsx'

type Props = {
  apiKey: Pick<NewApiKey, 'api_key' | 'name' | 'environment' | 'tenant_name' | 'allowed_origins'>
  onDone: () => void
}

/** Shows the secret of a new key once. */
export function KeySecretDialog({ apiKey, onDone }: Props) {
  return (
    <SecretDialog
      title="API Key Generated"
      noun="key"
      secret={apiKey.api_key}
      hint={`${letInText(apiKey.allowed_origins)} Origins are enforced for browsers only. Never commit this key or put it in public code.`}
      onDone={onDone}
    >
      <TestBadge apiKey={apiKey} /> <strong dir="auto">{apiKey.name}</strong> of <bdi>{apiKey.tenant_name}</bdi>
    </SecretDialog>
  )
}
