import { Input } from '@mantine/core'
import type { KeyEnvironment } from '@switchboard/contract/api-keys/key-environment'
import { useId } from 'react'
import { ENVIRONMENT_OPTIONS } from '#src/api-keys/api-key-labels.ts'
import { SegmentedControl } from '#src/ui/form/segmented-control.tsx'
import type { Control } from '#src/ui/form/use-form-frame.ts'
import css from './environment-field.module.css'

/** Chooses the environment of a new key. */
export function EnvironmentField({ value, disabled, onChange }: Control<KeyEnvironment>) {
  const hintId = useId()
  return (
    <div className={css.field}>
      <Input.Label labelElement="div">Environment</Input.Label>
      <SegmentedControl
        label="Environment"
        options={ENVIRONMENT_OPTIONS}
        value={value}
        disabled={disabled}
        describedBy={hintId}
        onChange={onChange}
      />
      <Input.Description id={hintId}>
        A test key follows the same rules. It begins with sb_test_, and its calls are counted separately. The
        environment cannot be changed later.
      </Input.Description>
    </div>
  )
}
