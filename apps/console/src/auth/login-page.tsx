import { Button, type ButtonProps, TextInput } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { useDocumentTitle } from '@mantine/hooks'
import { type SubmitEvent, useLayoutEffect, useRef, useState } from 'react'
import { Brand } from '#src/ui/page/brand.tsx'
import { Notice } from '#src/ui/page/notice.tsx'
import { PasswordField } from '#src/ui/form/password-field.tsx'
import { messageOf } from '#src/lib/call-error.ts'
import { consoleSettings } from '#src/lib/console-settings.ts'
import { lazyCode } from '#src/lib/load-code.ts'
import css from './login-page.module.css'
import { useSession } from '#src/lib/session.ts'

/** The last failure. The message stays during the next attempt, to prevent a layout shift. */
type Failure = { message: string; count: number }

// Typing preloads the schemas, a fifth of the page's script. After a failed preload, the sign-in loads the schemas again
// and shows the error.
const sessionApi = lazyCode(() => import('./session.api.ts'))
const preload = () => void Promise.allSettled([sessionApi()])

export function LoginPage() {
  useDocumentTitle(`Sign in · ${consoleSettings.brand_name}`)
  const session = useSession()
  const [isRunning, setIsRunning] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isRunning) return
    const form = new FormData(event.currentTarget)
    setIsRunning(true)
    try {
      const { signIn } = await sessionApi()
      // The router leaves this page when the session begins.
      await signIn(textOf(form, 'email'), textOf(form, 'password'))
    } catch (error) {
      setFailure((before) => ({ message: messageOf(error, 'Login failed'), count: (before?.count ?? 0) + 1 }))
      setIsRunning(false)
    }
  }

  return (
    <main className={css.page}>
      <div className={css.panel}>
        <div className={css.brand}>
          <Brand />
        </div>
        <div className={css.card}>
          <h1 className={css.title}>Sign in</h1>
          <form className={css.form} onSubmit={submit} onInput={preload}>
            {failure && (
              // A new element for each failure: screen readers announce the same message again.
              <Notice key={failure.count} tone="bad">
                {failure.message}
              </Notice>
            )}
            {failure === null && session.kind === 'unauthenticated' && session.reason === 'ended' && (
              <Notice tone="info">Your session has ended. Sign in again.</Notice>
            )}
            {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- nothing else is on this page */}
            <TextInput label="Email" name="email" type="email" autoComplete="username" required autoFocus />
            <PasswordField label="Password" name="password" autoComplete="current-password" />
            <SubmitButton fullWidth loading={isRunning} className={css.submit}>
              Sign in
            </SubmitButton>
            {/* A plain link: the router's link would add its code to this page. */}
            <a href="/forgotten-password" className={css.forgotten}>
              Forgot password?
            </a>
          </form>
        </div>
      </div>
    </main>
  )
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

/** Returns the focus after an attempt, because the button is disabled meanwhile and loses the focus. */
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
