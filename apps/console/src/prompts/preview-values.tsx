import { TextInput } from '@mantine/core'
import { GOAL_MAX } from '@switchboard/contract/tenants'
import type { ReactNode } from 'react'
import { TenantSelect } from '#src/tenants/tenant-select.tsx'
import type { PreviewGiven } from './prompts.api.ts'
import css from './preview-values.module.css'

type Props = { given: PreviewGiven; onChange: (given: PreviewGiven) => void; children: ReactNode }

/** Values of a preview: a goal, or a tenant with its own values. */
export function PreviewValues({ given, onChange, children }: Props) {
  return (
    <div className={css.values}>
      <TextInput
        label="Preview Goal"
        value={given.goal}
        maxLength={GOAL_MAX}
        disabled={given.tenant !== null}
        dir="auto"
        onChange={(event) => onChange({ ...given, goal: event.currentTarget.value })}
      />
      <TenantSelect
        label="Preview as tenant"
        placeholder="No tenant (use the goal on the left)"
        clearable
        lazy
        value={given.tenant}
        onChange={(tenant) => onChange({ ...given, tenant })}
      />
      {children}
    </div>
  )
}
