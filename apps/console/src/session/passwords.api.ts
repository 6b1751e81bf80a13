import { useDebouncedValue } from '@mantine/hooks'
import { checkPassword, lengthProblem, type PasswordHint, type PasswordOwner } from '@switchboard/contract/passwords'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '#src/lib/call.ts'

/** How long typing must pause before the server is asked. */
const PAUSE_MS = 250

type Typed = { password: string; owner: PasswordOwner; names: string[] }

/**
 * The server's judgement of a password being typed, or `undefined` while it is unknown. The dictionaries behind it
 * would be a megabyte here. The password is dropped from the cache as soon as the field has another one.
 */
export function usePasswordHint({ owner, ...typed }: Typed): PasswordHint | undefined {
  const [password] = useDebouncedValue(typed.password, PAUSE_MS)
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
