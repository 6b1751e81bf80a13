import { CONSOLE_PASSWORD_MIN, PASSWORD_MIN } from '@switchboard/contract/auth/current-admin'
import { lengthProblem, type PasswordHint, type PasswordOwner } from '@switchboard/contract/auth/passwords'
import type { ReactNode } from 'react'
import css from './new-password-field.module.css'
import { PasswordField } from '#src/ui/form/password-field.tsx'
import type { Control } from '#src/ui/form/use-form-frame.ts'

const STRENGTHS = {
  weak: { step: 1, className: 'ink-bad', text: 'Weak: easy to guess.' },
  fair: { step: 2, className: 'ink-warn', text: 'Fair: a little longer would be better.' },
  strong: { step: 3, className: 'ink-ok', text: 'Strong.' },
} satisfies Record<PasswordHint['strength'], { step: number; className: string | undefined; text: string }>

const MIN: Record<PasswordOwner, number> = { tenant: PASSWORD_MIN, console: CONSOLE_PASSWORD_MIN }

type Props = Control<string> & {
  label: string
  owner: PasswordOwner
  /** The server's strength estimate; undefined while unknown. */
  hint: PasswordHint | undefined
}

/** A new password, with the rule before any error and a hint about its strength. */
export function NewPasswordField({ value, owner, hint, onChange, ...field }: Props) {
  const rule = `At least ${MIN[owner]} characters. A few unrelated words work best.`
  const isTooShort = lengthProblem(value, owner) !== null
  return (
    <PasswordField
      {...field}
      value={value}
      autoComplete="new-password"
      description={describe()}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )

  function describe(): ReactNode {
    if (value === '') return rule
    if (field.error) return null
    if (isTooShort) return <Hint step={0} className="ink-bad" text={`Too short: at least ${MIN[owner]} characters.`} />
    if (hint === undefined) return rule
    const strength = STRENGTHS[hint.strength]
    return <Hint {...strength} text={hint.problem ?? strength.text} />
  }
}

function Hint({ step, className, text }: { step: number; className: string | undefined; text: string }) {
  return (
    <span className={`${css.hint} ${className}`}>
      <span className={css.bars} aria-hidden>
        {[1, 2, 3].map((bar) => (
          <span key={bar} className={bar <= step ? css.filled : css.empty} />
        ))}
      </span>
      {text}
    </span>
  )
}
