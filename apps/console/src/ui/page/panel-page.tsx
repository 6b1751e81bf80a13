import { QueryClientProvider, type UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isRetryable, messageOf } from '#src/lib/call-error.ts'
import { queryClient } from '#src/lib/query-client.ts'
import { ButtonLink } from '#src/ui/button/button-link.tsx'
import { Notice } from '#src/ui/notice/notice.tsx'
import { LoadError } from './empty-state.tsx'
import { Panel } from './panel.tsx'

/** A panel with the calls of the console, which /login does not load. */
export function PanelPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Panel title={title}>
      <QueryClientProvider client={queryClient}>
        <div className="stack wrap">{children}</div>
      </QueryClientProvider>
    </Panel>
  )
}

type LinkProps = { title: string; token: string | null; children: (token: string) => ReactNode }

/** The page of a single-use link. A reload drops the token. */
export function LinkPage({ title, token, children }: LinkProps) {
  return (
    <PanelPage title={title}>
      {token === null ? (
        <>
          <Notice tone="info">This page opens only from its link. Open the link again.</Notice>
          <ToSignIn />
        </>
      ) : (
        children(token)
      )}
    </PanelPage>
  )
}

/** What the link did, and the way to the sign-in. */
export function LinkDone({ children }: { children: ReactNode }) {
  return (
    <>
      <Notice tone="ok">{children}</Notice>
      <ToSignIn />
    </>
  )
}

type ErrorProps = { title: string; query: Pick<UseQueryResult, 'error' | 'refetch'> }

/** Why a link cannot be opened, with a retry where that can help, otherwise with the way to the sign-in. */
export function LinkError({ title, query }: ErrorProps) {
  if (isRetryable(query.error)) return <LoadError plain title={title} queries={[query]} />
  return (
    <>
      <Notice tone="bad">{messageOf(query.error, title)}</Notice>
      <ToSignIn />
    </>
  )
}

function ToSignIn() {
  return (
    <ButtonLink to="/login" fullWidth>
      Sign In
    </ButtonLink>
  )
}
