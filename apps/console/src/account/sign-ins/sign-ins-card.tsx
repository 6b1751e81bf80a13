import { type OwnSignIn, SIGN_INS_LISTED } from '@switchboard/contract/auth/sign-ins'
import { useQuery } from '@tanstack/react-query'
import { fullText, momentText } from '#src/lib/format/moment.ts'
import { Badge } from '#src/ui/badge/badge.tsx'
import { Card } from '#src/ui/card/card.tsx'
import { LoadError } from '#src/ui/page/empty-state.tsx'
import { signInsQuery } from './sign-ins.api.ts'
import css from './sign-ins-card.module.css'

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
          {signIns.isPending && <li className={css.signIn}>Loading sign-ins...</li>}
          {signIns.data?.length === 0 && <li className={css.signIn}>No sign-ins yet</li>}
          {signIns.data?.map((signIn) => (
            <SignIn key={signIn.seq} signIn={signIn} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function SignIn({ signIn: { at, outcome, reason, address, device, method } }: { signIn: OwnSignIn }) {
  const isRefused = outcome === 'refused'
  return (
    <li className={css.signIn}>
      <div className={css.device}>
        {device ?? 'Unknown device'}
        <Badge tone={isRefused ? 'bad' : 'ok'} text={isRefused ? 'Refused' : 'Signed in'} dot />
      </div>
      <div className={css.facts}>
        <time dateTime={at} data-tooltip={fullText(at)}>
          {momentText(at)}
        </time>
        {[address ?? 'Unknown address', method && METHOD_LABELS[method], isRefused && reason]
          .filter((fact) => fact)
          .map((fact) => ` · ${fact}`)}
      </div>
    </li>
  )
}
