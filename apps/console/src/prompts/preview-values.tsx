import { GOAL_MAX } from '@switchboard/contract/tenants'
import { type ReactNode, useId } from 'react'
import { TenantSelect } from '#src/tenants/tenant-select.tsx'
import fieldCss from '#src/ui/field/field.module.css'
import { Field } from '#src/ui/field/field.tsx'
import type { PreviewInput } from './prompts.api.ts'
import css from './preview-values.module.css'

type Props = { input: PreviewInput; onChange: (input: PreviewInput) => void; children: ReactNode }

/** Values of a preview: a goal, or a tenant with its own values. */
export function PreviewValues({ input, onChange, children }: Props) {
  const goalId = useId()
  return (
    <div className={css.values}>
      <Field id={goalId} label="Preview Goal">
        <input
          id={goalId}
          type="text"
          value={input.goal}
          maxLength={GOAL_MAX}
          disabled={input.tenant !== null}
          dir="auto"
          className={fieldCss.input}
          onChange={(event) => onChange({ ...input, goal: event.currentTarget.value })}
        />
      </Field>
      <TenantSelect
        label="Preview as tenant"
        placeholder="No tenant"
        clearable
        lazy
        value={input.tenant}
        onChange={(tenant) => onChange({ ...input, tenant })}
      />
      {children}
    </div>
  )
}
