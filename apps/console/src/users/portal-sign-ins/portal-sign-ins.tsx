import { Button } from '@mantine/core'
import { PORTAL_SIGN_INS_KEPT_DAYS } from '@switchboard/contract/users/portal-sign-ins'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SignInItem } from '#src/ui/list/sign-in-item.tsx'
import { EmptyState, LoadError } from '#src/ui/page/empty-state.tsx'
import { SkeletonItems } from '#src/ui/page/skeleton-items.tsx'
import css from './portal-sign-ins.module.css'
import { portalSignInsQuery } from './portal-sign-ins.api.ts'

type Props = { of: { tenant_id: string } | { user_id: string }; limit: number }

/** The portal sign-ins of a tenant, each with its person, or of one user. Shows a page at a time, newest first. */
export function PortalSignIns({ of, limit }: Props) {
  const [cursor, setCursor] = useState<string>()
  const signIns = useQuery({ ...portalSignInsQuery({ ...of, limit, cursor }), placeholderData: keepPreviousData })
  if (signIns.isLoadingError)
    return <LoadError plain title="The portal sign-ins could not be loaded" queries={[signIns]} />
  if (signIns.data === undefined) return <SkeletonItems text="Loading portal sign-ins..." count={3} />
  const { rows, prev, next } = signIns.data
  if (rows.length === 0)
    return (
      <EmptyState
        plain
        title="No portal sign-ins yet"
        help={`Sign-ins appear here for ${PORTAL_SIGN_INS_KEPT_DAYS} days, refused ones too.`}
      />
    )
  return (
    <>
      <ul aria-label="Portal sign-ins" aria-busy={signIns.isPlaceholderData}>
        {rows.map(({ id, at, email, outcome, reason, address }) => (
          <SignInItem
            key={id}
            at={at}
            outcome={outcome}
            about={'tenant_id' in of ? (email ?? 'Unknown person') : undefined}
            facts={[address ?? 'Unknown address', reason]}
          />
        ))}
      </ul>
      {(prev ?? next) && (
        <nav className={css.pages} aria-label="Pages of portal sign-ins">
          <Turn label="Newer" to={prev} onTurn={setCursor} />
          <Turn label="Older" to={next} onTurn={setCursor} />
        </nav>
      )}
    </>
  )
}

/** Stays focusable on the last page, so that the focus is not lost. */
function Turn({ label, to, onTurn }: { label: string; to: string | null; onTurn: (cursor: string) => void }) {
  return (
    <Button
      variant="default"
      size="compact-md"
      aria-disabled={to === null}
      {...(to === null && { 'data-disabled': true })}
      onClick={() => to !== null && onTurn(to)}
    >
      {label}
    </Button>
  )
}
