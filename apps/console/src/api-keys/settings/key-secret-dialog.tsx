import { defaultApiKeyName, type NewApiKey } from '@switchboard/contract/api-keys'
import { SecretDialog } from '#src/ui/dialog/secret-dialog.tsx'
import { firstCall } from './first-call-labels.ts'
import { callersText } from './origin-labels.ts'
import { TestBadge } from './test-badge.tsx'

type Props = {
  apiKey: Pick<NewApiKey, 'api_key' | 'name' | 'environment' | 'tenant_name' | 'allowed_origins'>
  /** Address of ai-api, for a command that uses the key. The callers of a replaced key need none. */
  aiApiUrl?: string | undefined
  onDone: () => void
}

/** Shows the secret of a new key once. */
export function KeySecretDialog({ apiKey, aiApiUrl, onDone }: Props) {
  return (
    <SecretDialog
      title="API Key Generated"
      noun="key"
      secret={apiKey.api_key}
      hint="Never commit this key or put it in public code."
      example={
        aiApiUrl
          ? {
              about: callersText(apiKey.allowed_origins),
              command: firstCall(aiApiUrl, apiKey.api_key, apiKey.allowed_origins),
            }
          : undefined
      }
      onDone={onDone}
    >
      <TestBadge apiKey={apiKey} /> <strong dir="auto">{apiKey.name}</strong>
      {apiKey.name !== defaultApiKeyName(apiKey.tenant_name) && (
        <>
          {' of '}
          <bdi>{apiKey.tenant_name}</bdi>
        </>
      )}
    </SecretDialog>
  )
}
