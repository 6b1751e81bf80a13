import { useDebouncedValue } from '@mantine/hooks'
import {
  checkPassword,
  lengthProblem,
  type PasswordHint,
  type PasswordOwner,
} from '@switchboard/contract/auth/passwords'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '#src/lib/call.ts'

/** Debounce of the password check. */
const PAUSE_MS = 250

type Typed = { password: string; owner: PasswordOwner; names: string[]; isSaving?: boolean }

/**
 * The server's judgement of the typed password, or `undefined` while unknown. The dictionaries would add a megabyte to
 * the console. A password leaves the cache as soon as the field changes. A check under way is cancelled while the form
 * is saved: a new password invalidates the token of a running check.
 */
export function usePasswordHint({ owner, isSaving = false, ...typed }: Typed): PasswordHint | undefined {
  const [paused] = useDebouncedValue(typed.password, PAUSE_MS)
  const password = isSaving || typed.password === '' ? '' : paused
  const [names] = useDebouncedValue(typed.names.join('\n'), PAUSE_MS)
  const body = { password, owner, names: names.split('\n').filter((name) => name !== '') }
  const isLongEnough = lengthProblem(body.password, body.owner) === null
  const { data } = useQuery({
    queryKey: ['password-hint', body],
    queryFn: ({ signal }) => call(checkPassword, { body, signal }),
    enabled: isLongEnough,
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  })
  return isLongEnough ? data : undefined
}
