import { Button, Textarea, TextInput } from '@mantine/core'
import { isOriginAllowed, ORIGIN_RULE, parseAllowedOrigin } from '@switchboard/contract/api-keys/allowed-origins'
import { IconAlertCircle, IconCheck, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { Control } from '#src/ui/form/use-form-frame.ts'
import { letInText } from './origin-labels.ts'
import css from './origins-field.module.css'

/** Splits typed text at commas and newlines. Each entry has either its normalized origin or a problem. */
export function typedOrigins(text: string) {
  const entries = text
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => ({ entry, ...parseAllowedOrigin(entry) }))
  const origins = [...new Set(entries.flatMap(({ origin }) => origin ?? []))]
  return { entries, origins, hasProblem: entries.some(({ problem }) => problem !== undefined) }
}

type Props = Control<string> & {
  /** The tenant's own site, suggested as an origin. */
  site: string | undefined
}

/** Allowed origins, checked during typing by the servers' rules. */
export function OriginsField({ value, error, site, disabled, onChange }: Props) {
  const { origins, hasProblem } = typedOrigins(value)
  const suggestions = [...(site === undefined ? [] : [site]), ...origins.flatMap(apexOf)].filter(
    (origin) => !isOriginAllowed(origins, origin) || origins.length === 0,
  )
  return (
    <div className={css.field}>
      <Textarea
        label="Allowed origins"
        description={<CheckedOrigins value={value} />}
        // Mantine renders a description as a paragraph, which must not contain a list.
        descriptionProps={{ component: 'div' }}
        error={error ?? hasProblem}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={value}
        rows={2}
        disabled={disabled}
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <div className={css.suggestions}>
        {suggestions.map((origin) => (
          <Button
            key={origin}
            variant="default"
            size="compact-xs"
            leftSection={<IconPlus size={12} aria-hidden />}
            disabled={disabled}
            onClick={() => onChange(value.trim() === '' ? origin : `${value.trim().replace(/,$/, '')}, ${origin}`)}
          >
            <span className={css.suggestion}>Add {origin}</span>
          </Button>
        ))}
      </div>
      <OriginTest origins={origins} />
    </div>
  )
}

/** The rule, and each typed origin with its result. */
function CheckedOrigins({ value }: { value: string }) {
  const { entries, origins } = typedOrigins(value)
  return (
    <>
      {ORIGIN_RULE}
      <ul className={css.checked} aria-live="polite">
        {entries.map(({ entry, origin, problem }, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- the same origin may be typed twice
          <li key={at} className={problem === undefined ? css.good : css.bad}>
            {problem === undefined ? <IconCheck size={14} aria-hidden /> : <IconAlertCircle size={14} aria-hidden />}
            <span>{problem === undefined ? origin : `${entry}: ${problem}`}</span>
          </li>
        ))}
      </ul>
      <p className={origins.length === 0 ? css.any : css.letIn} aria-live="polite">
        {letInText(origins)}
      </p>
    </>
  )
}

/** The domain itself of a wildcard, which the wildcard does not include. */
function apexOf(origin: string): string[] {
  return origin.startsWith('https://*.') ? [origin.replace('*.', '')] : []
}

/** Tests an origin with the function of the key check. */
function OriginTest({ origins }: { origins: string[] }) {
  const [typed, setTyped] = useState('')
  const isAllowed = isOriginAllowed(origins, typed.trim())
  return (
    <div className={css.test}>
      <TextInput
        label="Test an origin"
        placeholder="https://www.example.com"
        size="xs"
        value={typed}
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <output className={isAllowed ? css.good : css.bad}>
        {typed.trim() === '' ? '' : isAllowed ? 'Allowed' : 'Refused'}
      </output>
    </div>
  )
}
