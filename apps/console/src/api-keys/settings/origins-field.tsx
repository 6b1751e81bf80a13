import { Button, Textarea } from '@mantine/core'
import { isOriginAllowed, ORIGIN_RULE, parseAllowedOrigin } from '@switchboard/contract/api-keys/allowed-origins'
import { IconPlus } from '@tabler/icons-react'
import type { Control } from '#src/ui/form/use-form-frame.ts'
import { callersText } from './origin-labels.ts'
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
  const { entries, origins, hasProblem } = typedOrigins(value)
  const suggestions = [...(site === undefined ? [] : [site]), ...origins.flatMap(apexOf)].filter(
    (origin) => !isOriginAllowed(origins, origin) || origins.length === 0,
  )
  return (
    <div className={css.field}>
      <Textarea
        label="Allowed origins"
        description={
          <>
            {ORIGIN_RULE}
            <ul className={css.problems} aria-live="polite">
              {entries.map(
                ({ entry, problem }, at) =>
                  // oxlint-disable-next-line react/no-array-index-key -- the same origin may be typed twice
                  problem !== undefined && <li key={at}>{`${entry}: ${problem}`}</li>,
              )}
            </ul>
            <p className={css.callers} aria-live="polite">
              {callersText(origins)}
            </p>
          </>
        }
        // Mantine renders a description as a paragraph, which must not contain a list.
        descriptionProps={{ component: 'div' }}
        error={error ?? hasProblem}
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
            size="compact-md"
            leftSection={<IconPlus size={14} aria-hidden />}
            disabled={disabled}
            onClick={() => onChange(value.trim() === '' ? origin : `${value.trim().replace(/,$/, '')}, ${origin}`)}
          >
            <span className={css.suggestion}>Add {origin}</span>
          </Button>
        ))}
      </div>
    </div>
  )
}

/** The domain itself of a wildcard, which the wildcard does not include. */
function apexOf(origin: string): string[] {
  return origin.startsWith('https://*.') ? [origin.replace('*.', '')] : []
}
