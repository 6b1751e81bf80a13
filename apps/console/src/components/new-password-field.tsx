import { type PasswordStrength, passwordStrength, wordIn } from '@switchboard/contract/passwords'
import type { ReactNode } from 'react'
import css from './new-password-field.module.css'
import { PasswordField } from './password-field.tsx'

const STRENGTHS = {
  'too short': { step: 0, className: css.weak, text: 'Too short: at least 8 characters.' },
  weak: { step: 1, className: css.weak, text: 'Weak: easy to guess.' },
  fair: { step: 2, className: css.fair, text: 'Fair: a little longer would be better.' },
  strong: { step: 3, className: css.strong, text: 'Strong.' },
} satisfies Record<PasswordStrength, { step: number; className: string | undefined; text: string }>

const RULE = 'At least 8 characters. A few words that nobody expects are best.'

type Props = {
  label: string
  value: string
  /** What the account is known by; a password with one of these is refused. */
  words: readonly string[]
  error: ReactNode
  disabled?: boolean
  onChange: (value: string) => void
}

/** A password to be chosen, with the rule before any error and a hint at its strength. */
export function NewPasswordField({ value, words, onChange, ...field }: Props) {
  return (
    <PasswordField
      {...field}
      value={value}
      autoComplete="new-password"
      description={value === '' ? RULE : !field.error && <Hint value={value} words={words} />}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

function Hint({ value, words }: Pick<Props, 'value' | 'words'>) {
  const { step, className, text } = STRENGTHS[passwordStrength(value, words)]
  const word = wordIn(value, words)
  return (
    <span className={`${css.hint} ${className}`}>
      <span className={css.bars} aria-hidden>
        {[1, 2, 3].map((bar) => (
          <span key={bar} className={bar <= step ? css.filled : css.empty} />
        ))}
      </span>
      {word === undefined ? text : `Leave “${word}” out: it is easy to guess here.`}
    </span>
  )
}
