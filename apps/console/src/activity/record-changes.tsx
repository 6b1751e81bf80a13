import type { AuditRecord } from '@switchboard/contract/activity'
import { Link } from '@tanstack/react-router'
import { comparisonLink } from '#src/prompts/prompts.api.ts'
import { fieldLabel } from './activity-labels.ts'
import css from './record-dialog.module.css'

/** Changed fields before and after, side by side. Secrets are never logged. */
export function RecordChanges({ record: { changes, target_type, tenant_id } }: { record: AuditRecord }) {
  const fields = Object.entries(changes)
  if (fields.length === 0) return null
  const version = changes['version']
  return (
    <>
      <table className={css.changes} aria-label="Changes">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(([field, { before, after }]) => (
            <tr key={field}>
              <th scope="row">{fieldLabel(field)}</th>
              <Value label={`${fieldLabel(field)} before`} value={before} />
              <Value label={`${fieldLabel(field)} after`} value={after} />
            </tr>
          ))}
        </tbody>
      </table>
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
  if (text === '') return <td className={css.none}>{value === '' ? '(empty)' : '(none)'}</td>
  if (text.length <= UNSCROLLED_MAX) return <td dir="auto">{text}</td>
  return (
    <td>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable, so the keyboard must reach the element */}
      <section className={css.long} dir="auto" aria-label={label} tabIndex={0}>
        {text}
      </section>
    </td>
  )
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join('\n')
  return JSON.stringify(value, null, 2)
}
