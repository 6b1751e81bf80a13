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
 * The server's strength estimate of the typed password, or `undefined` while unknown. In the browser, the dictionaries
 * would add a megabyte. The cache drops a password when the field changes. No check runs during a save, because a new
 * password invalidates the token of the check.
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
