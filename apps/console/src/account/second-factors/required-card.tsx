import { Button } from '@mantine/core'
import type { Member } from '@switchboard/contract/team'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { hasOnlyPassword } from '#src/team/member-labels.ts'
import { teamQuery } from '#src/team/team.api.ts'
import { counted } from '#src/lib/format/count.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { Card } from '#src/ui/card/card.tsx'
import { LoadError } from '#src/ui/page/empty-state.tsx'
import { securityQuery, useRequireSecondFactor } from './second-factors.api.ts'

const ConfirmDialog = lazyPart(() => import('#src/ui/dialog/confirm-dialog.tsx').then((code) => code.ConfirmDialog))

/** Whether every account of the console needs a second factor, for super admins. */
export function RequiredCard({ adminId }: { adminId: string }) {
  const query = useQuery(securityQuery)
  const team = useQuery(teamQuery)
  const require = useRequireSecondFactor()
  const [isAsking, setIsAsking] = useState(false)
  const isRequired = query.data?.second_factor_required === true
  const tokens = query.data?.tokens_without_factor ?? []
  const label = isRequired ? 'Make Optional' : 'Require for Everyone'

  async function confirm() {
    await require.mutateAsync(!isRequired)
    setIsAsking(false)
  }

  return (
    <Card
      title="Second factor for everyone"
      help={
        query.data && team.data
          ? isRequired
            ? 'Required. Until they add one, people without a second factor can do nothing else.'
            : optionalText(team.data, adminId)
          : 'Whether every account of the console needs one.'
      }
      action={
        query.data &&
        team.data &&
        (isRequired || !hasOnlyPasswordOf(team.data, adminId)) && (
          <Button variant="default" onClick={() => setIsAsking(true)}>
            {label}
          </Button>
        )
      }
    >
      {(query.isLoadingError || team.isLoadingError) && (
        <LoadError title="The setting could not be loaded" queries={[query, team]} plain />
      )}
      <Suspense>
        {isAsking && (
          <ConfirmDialog
            title={isRequired ? 'Make the Second Factor Optional' : 'Require a Second Factor'}
            tone={isRequired ? 'warning' : 'info'}
            confirmLabel={label}
            failure="The setting was not changed."
            onConfirm={confirm}
            onClose={() => setIsAsking(false)}
          >
            <p>
              {isRequired
                ? 'Members without a second factor can then sign in with only a password again.'
                : 'From now on, members without a second factor can only add one. Everything else is refused until then.'}
            </p>
            {!isRequired && tokens.length > 0 && (
              <>
                <p>
                  The calls of these service tokens are refused until the people who made them have a second factor:
                </p>
                <ul aria-label="Refused service tokens" className="bullets">
                  {tokens.map(({ id, name, created_by_email }) => (
                    <li key={id} dir="auto">
                      {name} of {created_by_email}
                    </li>
                  ))}
                </ul>
              </>
            )}
          </ConfirmDialog>
        )}
      </Suspense>
    </Card>
  )
}

/** An admin without a second factor would be the first whom the requirement locks out. */
function hasOnlyPasswordOf(team: readonly Member[], id: string): boolean {
  return team.some((member) => member.id === id && hasOnlyPassword(member))
}

function optionalText(team: readonly Member[], adminId: string): string {
  const count = team.filter((member) => member.is_active && hasOnlyPassword(member)).length
  const text = count === 0 ? 'Optional.' : `Optional. ${counted(count, 'member')} can sign in with only a password.`
  return hasOnlyPasswordOf(team, adminId)
    ? `${text} Add a second factor of your own before you require one of everyone.`
    : text
}
