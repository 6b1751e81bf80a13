import { useDebouncedValue } from '@mantine/hooks'
import {
  checkLinkPassword,
  checkPassword,
  lengthProblem,
  type PasswordHint,
  type PasswordOwner,
} from '@switchboard/contract/auth/passwords'
import type { ConsoleLinkKind } from '@switchboard/contract/links'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '#src/lib/call.ts'

const PAUSE_MS = 250

/** The value of the field. No check runs during a save, because a new password ends the session or the link of the check. */
type Field = { password: string; isSaving?: boolean }
type Rule = {
  owner: PasswordOwner
  /** Other inputs of the judgment, for the cache key. */
  about: string[]
  judge: (password: string, signal: AbortSignal) => Promise<PasswordHint>
}

/** The server's strength estimate of the typed password, or `undefined` while unknown. */
export function usePasswordHint({ owner, names: typed, ...field }: Field & { owner: PasswordOwner; names: string[] }) {
  const [paused] = useDebouncedValue(typed.join('\n'), PAUSE_MS)
  const names = paused.split('\n').filter((name) => name !== '')
  const judge: Rule['judge'] = (password, signal) => call(checkPassword, { body: { password, owner, names }, signal })
  return useHint(field, { owner, about: names, judge })
}

/** The strength estimate of a password for the account of a link. */
export function useLinkPasswordHint({ kind, token, ...field }: Field & { kind: ConsoleLinkKind; token: string }) {
  const judge: Rule['judge'] = (password, signal) =>
    call(checkLinkPassword, { body: { kind, token, password }, signal })
  return useHint(field, { owner: 'console', about: [kind, token], judge })
}

/** In the browser, the dictionaries would add a megabyte. The cache drops a password when the field changes. */
function useHint(field: Field, { owner, about, judge }: Rule): PasswordHint | undefined {
  const [paused] = useDebouncedValue(field.password, PAUSE_MS)
  const password = field.isSaving === true || field.password === '' ? '' : paused
  const isLongEnough = lengthProblem(password, owner) === null
  const { data } = useQuery({
    queryKey: ['password-hint', owner, about, password],
    queryFn: ({ signal }) => judge(password, signal),
    enabled: isLongEnough,
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  })
  return isLongEnough ? data : undefined
}
