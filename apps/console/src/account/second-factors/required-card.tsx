import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { lazyPart } from '#src/lib/lazy.tsx'
import { Card } from '#src/ui/card/card.tsx'
import { LoadError } from '#src/ui/page/empty-state.tsx'
import css from './second-factors.module.css'
import { securityQuery, useRequireSecondFactor } from './second-factors.api.ts'

const ConfirmDialog = lazyPart(() => import('#src/ui/dialog/confirm-dialog.tsx').then((code) => code.ConfirmDialog))

/** Whether every account of the console needs a second factor, for super admins. */
export function RequiredCard() {
  const query = useQuery(securityQuery)
  const require = useRequireSecondFactor()
  const [isAsking, setIsAsking] = useState(false)
  const isRequired = query.data?.second_factor_required === true
  const tokens = query.data?.tokens_without_factor ?? []
  const label = isRequired ? 'Make optional' : 'Require for everyone'

  async function confirm() {
    await require.mutateAsync(!isRequired)
    setIsAsking(false)
  }

  return (
    <Card
      title="Second factor for everyone"
      help={
        isRequired ? 'Required: an account without a second factor can only add one.' : 'Optional for each account.'
      }
      action={
        query.data && (
          <Button variant="default" onClick={() => setIsAsking(true)}>
            {label}
          </Button>
        )
      }
    >
      {query.isLoadingError && <LoadError title="The setting could not be loaded" queries={[query]} plain />}
      <Suspense>
        {isAsking && (
          <ConfirmDialog
            title={isRequired ? 'Make the second factor optional' : 'Require a second factor'}
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
                  The calls of these machine tokens are refused until the people who made them have a second factor:
                </p>
                <ul aria-label="Refused machine tokens" className={css.list}>
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
