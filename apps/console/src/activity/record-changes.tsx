import type { AuditRecord } from '@switchboard/contract/activity'
import { Link } from '@tanstack/react-router'
import { comparisonLink } from '#src/prompts/prompts.api.ts'
import { ValuesTable } from '#src/ui/comparison/values-table.tsx'
import { fieldLabel } from './activity-labels.ts'
import css from './record-dialog.module.css'

/** Changed fields before and after, side by side. Secrets are never logged. */
export function RecordChanges({ record: { changes, target_type, tenant_id } }: { record: AuditRecord }) {
  const fields = Object.entries(changes)
  if (fields.length === 0) return null
  const version = changes['version']
  return (
    <>
      <ValuesTable
        label="Changes"
        heads={['Before', 'After']}
        rows={fields.map(([field, { before, after }]) => ({
          label: fieldLabel(field),
          values: [
            <Value key="before" label={`${fieldLabel(field)} before`} value={before} />,
            <Value key="after" label={`${fieldLabel(field)} after`} value={after} />,
          ],
        }))}
      />
      {(target_type === 'prompt' || target_type === 'addendum') && typeof version?.before === 'number' && (
        <Link
          {...comparisonLink(tenant_id ?? undefined, { from: String(version.before), to: String(version.after) })}
          className={css.filterLink}
        >
          Compare the texts of both versions
        </Link>
      )}
    </>
  )
}

/** Longest value, in characters, that is shown without scrolling. */
const UNSCROLLED_MAX = 240

function Value({ label, value }: { label: string; value: unknown }) {
  const text = textOf(value)
  if (text === '') return <span className="ink-3">{value === '' ? '(empty)' : '(none)'}</span>
  if (text.length <= UNSCROLLED_MAX) return text
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable, so the keyboard must reach the element
    <section className={css.long} dir="auto" aria-label={label} tabIndex={0}>
      {text}
    </section>
  )
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join('\n')
  return JSON.stringify(value, null, 2)
}
