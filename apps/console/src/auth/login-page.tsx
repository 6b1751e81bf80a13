import { Button, type ButtonProps } from '@mantine/core'
import { safeRedirect } from '@switchboard/contract/single-sign-on/safe-redirect'
import { SIGN_ON_PATH } from '@switchboard/contract/single-sign-on/sign-on-path'
import { type SubmitEvent, Suspense, useLayoutEffect, useRef, useState } from 'react'
import { Panel } from '#src/ui/page/panel.tsx'
import { Notice } from '#src/ui/notice/notice.tsx'
import { EmailField } from '#src/ui/form/email-field.tsx'
import { PasswordField } from '#src/ui/form/password-field.tsx'
import { messageOf } from '#src/lib/call-error.ts'
import { consoleSettings } from '#src/lib/console-settings.ts'
import { lazyCode } from '#src/lib/load-code.ts'
import css from './login-page.module.css'
import { lazyPage } from '#src/lib/lazy.tsx'
import { useSession } from '#src/lib/session.ts'
import type { SignInChallenge } from '@switchboard/contract/auth/challenge'

/** The last failure. The message stays during the next attempt, to prevent a layout shift. */
type Failure = { message: string; count: number }

// Typing preloads the schemas, a fifth of the page's script. After a failed preload, the sign-in loads the schemas again
// and shows the error.
const signInApi = lazyCode(() => import('./sign-in.api.ts'))
const secondStepApi = lazyCode(() => import('./second-step.api.ts'))
const SecondStep = lazyPage(() => import('./second-step.tsx').then((code) => code.SecondStep))
/** Passkeys belong to host names, never to IP addresses. */
const hasPasskeys = 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(window.location.hostname)
const preload = () => void Promise.allSettled([signInApi()])

export function LoginPage() {
  const session = useSession()
  const [endedEmail] = useState(session.kind === 'unauthenticated' ? session.email : undefined)
  const [isRunning, setIsRunning] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const { sign_in } = consoleSettings
  const [hasPassword, setHasPassword] = useState(sign_in !== 'sso')

  const [challenge, setChallenge] = useState<SignInChallenge | null>(null)

  // The router leaves this page when the session begins.
  async function run(begin: () => Promise<SignInChallenge | null>) {
    if (isRunning) return
    setIsRunning(true)
    try {
      const asked = await begin()
      setChallenge(asked)
      if (asked !== null) setIsRunning(false)
    } catch (error) {
      fail(messageOf(error, 'Login failed'))
    }
  }
  function fail(message: string) {
    setFailure((before) => ({ message, count: (before?.count ?? 0) + 1 }))
    setChallenge(null)
    setIsRunning(false)
  }
  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    void run(async () => (await signInApi()).signIn(textOf(form, 'email'), textOf(form, 'password')))
  }
  const signInWithPasskey = () => void run(async () => (await secondStepApi()).signInWithPasskey())

  return (
    <Panel title="Sign in">
      {challenge !== null && (
        <Suspense>
          <SecondStep challenge={challenge} onEnded={fail} />
        </Suspense>
      )}
      <div className="stack" hidden={challenge !== null}>
        {failure && (
          // A new element for each failure: screen readers announce the same message again.
          <Notice key={failure.count} tone="bad">
            {failure.message}
          </Notice>
        )}
        {failure === null && session.kind === 'unauthenticated' && session.reason === 'ended' && (
          <Notice tone="info">Your session has ended. Sign in again.</Notice>
        )}
        {failure === null && session.kind === 'unauthenticated' && session.refusal !== undefined && (
          <Notice tone="bad">{session.refusal}</Notice>
        )}
        {hasPassword && (
          <form className="stack" onSubmit={submit} onInput={preload}>
            <EmailField
              label="Email"
              name="email"
              autoComplete="username"
              defaultValue={endedEmail}
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- the first field of the only form
              autoFocus={endedEmail === undefined}
            />
            <PasswordField
              label="Password"
              name="password"
              autoComplete="current-password"
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- the first empty field of the only form
              autoFocus={endedEmail !== undefined}
            />
            <SubmitButton fullWidth loading={isRunning} className={css.submit}>
              Sign In
            </SubmitButton>
            {/* A plain link: the router's link would add its code to this page. */}
            <a href="/forgotten-password" className={css.forgotten}>
              Forgot password?
            </a>
            {hasPasskeys && (
              <Button variant="default" fullWidth disabled={isRunning} onClick={signInWithPasskey}>
                Sign In with a Passkey
              </Button>
            )}
          </form>
        )}
        {sign_in !== 'password' && (
          <Button component="a" href={signOnHref()} fullWidth variant={hasPassword ? 'default' : 'filled'}>
            Sign In with Single Sign-on
          </Button>
        )}
        {!hasPassword && (
          <button type="button" className={css.other} onClick={() => setHasPassword(true)}>
            Sign In with a Password
          </button>
        )}
      </div>
    </Panel>
  )
}

/** The start of a single sign-on that returns to the page of `?redirect=`. */
function signOnHref(): string {
  const redirect = safeRedirect(new URLSearchParams(window.location.search).get('redirect'), window.location.origin)
  return redirect === undefined ? SIGN_ON_PATH : `${SIGN_ON_PATH}?${new URLSearchParams({ redirect })}`
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

/** Returns the focus after an attempt, because the button is disabled during the attempt and loses the focus. */
function SubmitButton({ loading, ...props }: ButtonProps & { loading: boolean }) {
  const ref = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const button = ref.current
    // The browser moves the focus off a disabled element only with the next frame.
    if (!loading || document.activeElement !== button) return undefined
    return () => {
      if (document.activeElement === document.body) button?.focus({ preventScroll: true })
    }
  }, [loading])
  return <Button ref={ref} type="submit" loading={loading} {...props} />
}
