import { Button } from '@mantine/core'
import type { ApiKey } from '@switchboard/contract/api-keys'
import { Link } from '@tanstack/react-router'
import { rotationCalls, usedAtEnd } from '#src/api-keys/rotation/key-rotation-labels.ts'
import { stateBadge } from '#src/api-keys/key-state-labels.ts'
import { fullText } from '#src/lib/format/moment.ts'
import { Day } from '#src/ui/time/day.tsx'
import { Fact, Facts } from '#src/ui/card/facts.tsx'
import { RelativeTime } from '#src/ui/time/relative-time.tsx'
import { DrawerSection } from './drawer-section.tsx'

/** The settings of a key. `onEdit` is absent for a revoked key and for a role that changes no keys. */
export function KeyFacts({ apiKey, onEdit }: { apiKey: ApiKey; onEdit: (() => void) | undefined }) {
  const { description, environment, allowed_origins, expires_at, created_at, last_used_at } = apiKey
  return (
    <DrawerSection
      title="Settings"
      action={
        onEdit && (
          <Button variant="default" size="compact-sm" onClick={onEdit}>
            Edit
          </Button>
        )
      }
    >
      <Facts>
        {description !== '' && <Fact term="Description">{<span dir="auto">{description}</span>}</Fact>}
        <Fact term="Environment">{environment === 'test' ? 'Test' : 'Live'}</Fact>
        <Fact term="Allowed origins">
          {allowed_origins.length === 0
            ? 'Any origin'
            : allowed_origins.map((origin) => <div key={origin}>{origin.replace('https://', '')}</div>)}
        </Fact>
        <Fact term="Expires">{expires_at === null ? 'Never' : fullText(expires_at)}</Fact>
        <Fact term="Status">{stateBadge(apiKey).text}</Fact>
        <Fact term="Created">
          <Day moment={created_at} />
        </Fact>
        <Fact term="Last used">{last_used_at === null ? 'Never' : <RelativeTime moment={last_used_at} />}</Fact>
        <Rotation apiKey={apiKey} />
      </Facts>
    </DrawerSection>
  )
}

/** The other key of a rotation, and the calls since. */
function Rotation({ apiKey }: { apiKey: ApiKey }) {
  const calls = rotationCalls(apiKey)
  if (calls === null) return null
  return (
    <Fact term="Rotation">
      {apiKey.rotated_to !== null && <KeyLink id={apiKey.rotated_to} text="Open the new key" />}
      {apiKey.rotated_from !== null && <KeyLink id={apiKey.rotated_from} text="Open the old key" />}
      <div>{calls}</div>
      <div className="ink-warn">{usedAtEnd(apiKey)}</div>
    </Fact>
  )
}

function KeyLink({ id, text }: { id: string; text: string }) {
  return (
    <div>
      <Link
        to="."
        search={(before) => ({ ...before, key: id })}
        state={(before) => before}
        replace
        resetScroll={false}
        className="text-link accent"
      >
        {text}
      </Link>
    </div>
  )
}
