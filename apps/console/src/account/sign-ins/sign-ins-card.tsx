import { type OwnSignIn, SIGN_INS_LISTED } from '@switchboard/contract/auth/sign-ins'
import { useQuery } from '@tanstack/react-query'
import { Card } from '#src/ui/card/card.tsx'
import { Item } from '#src/ui/list/item.tsx'
import { SignInItem } from '#src/ui/list/sign-in-item.tsx'
import { LoadError } from '#src/ui/page/empty-state.tsx'
import { signInsQuery } from './sign-ins.api.ts'

const METHOD_LABELS = {
  password: 'Password',
  totp: 'Authenticator app',
  passkey: 'Passkey',
  recovery_code: 'Recovery code',
  single_sign_on: 'Single sign-on',
} satisfies Record<NonNullable<OwnSignIn['method']>, string>

/** The last sign-ins to the caller's account, done and refused. */
export function SignInsCard() {
  const signIns = useQuery(signInsQuery)
  return (
    <Card
      title="Recent sign-ins"
      help={`The last ${SIGN_INS_LISTED} sign-ins with your email address, including refused ones. If you do not recognize one, change your password.`}
    >
      {signIns.isLoadingError ? (
        <LoadError title="The sign-ins could not be loaded" queries={[signIns]} />
      ) : (
        <ul aria-label="Recent sign-ins" aria-busy={signIns.isPending}>
          {signIns.isPending && <Item title="Loading sign-ins..." />}
          {signIns.data?.length === 0 && <Item title="No sign-ins yet" />}
          {signIns.data?.map((signIn) => (
            <SignInItem
              key={signIn.seq}
              at={signIn.at}
              outcome={signIn.outcome}
              about={signIn.device ?? 'Unknown device'}
              facts={[
                signIn.address ?? 'Unknown address',
                signIn.method && METHOD_LABELS[signIn.method],
                signIn.outcome === 'refused' ? signIn.reason : null,
              ]}
            />
          ))}
        </ul>
      )}
    </Card>
  )
}
