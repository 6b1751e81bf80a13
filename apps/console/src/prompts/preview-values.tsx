import { type DeclaredVariables, VARIABLE_VALUE_MAX } from '@switchboard/contract/prompts/variables'
import { GOAL_MAX } from '@switchboard/contract/tenants'
import { type ReactNode, useId } from 'react'
import { TenantSelect } from '#src/tenants/tenant-select.tsx'
import fieldCss from '#src/ui/field/field.module.css'
import { Field } from '#src/ui/field/field.tsx'
import { rowsOf } from '#src/ui/form/name-values.ts'
import type { PreviewInput } from './prompts.api.ts'
import css from './preview-values.module.css'

type Props = {
  declared: DeclaredVariables
  input: PreviewInput
  onChange: (input: PreviewInput) => void
  children: ReactNode
}

/** Values of a preview: a goal or a tenant with its own values, and the declared variables. */
export function PreviewValues({ declared, input, onChange, children }: Props) {
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
      {rowsOf(declared).map(({ name, value }) => (
        <VariableField
          key={name}
          name={name}
          value={input.variables[name] ?? value}
          onChange={(typed) => onChange({ ...input, variables: { ...input.variables, [name]: typed } })}
        />
      ))}
      {children}
    </div>
  )
}

type VariableProps = { name: string; value: string; onChange: (value: string) => void }

function VariableField({ name, value, onChange }: VariableProps) {
  const id = useId()
  return (
    <Field id={id} label={name}>
      <input
        id={id}
        type="text"
        value={value}
        maxLength={VARIABLE_VALUE_MAX}
        dir="auto"
        className={fieldCss.input}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </Field>
  )
}
