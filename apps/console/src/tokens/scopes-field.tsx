import { NativeSelect } from '@mantine/core'
import { type Scope, SCOPE_PRESETS } from '@switchboard/contract/tokens/scopes'
import { CheckField } from '#src/ui/form/check-field.tsx'
import groups from '#src/ui/form/check-groups.module.css'
import type { Control } from '#src/ui/form/use-form-frame.ts'
import css from './scopes-field.module.css'
import { PRESET_HINTS, PRESET_LABELS, presetOf, presets, SCOPE_GROUPS, SCOPE_LABELS } from './token-labels.ts'

const CUSTOM = { value: '', label: 'Custom' }

/** What a token may do: a preset, or any scopes. */
export function ScopesField({ value, error, disabled, onChange }: Control<Scope[]>) {
  const preset = presetOf(value)
  const options = presets.map((name) => ({ value: name, label: PRESET_LABELS[name] }))
  return (
    <>
      <NativeSelect
        label="Access"
        description={preset === undefined ? 'Exactly the scopes that are checked below.' : PRESET_HINTS[preset]}
        data={preset === undefined ? [...options, CUSTOM] : options}
        disabled={disabled}
        error={error}
        value={preset ?? CUSTOM.value}
        onChange={(event) => {
          const chosen = presets.find((name) => name === event.currentTarget.value)
          if (chosen !== undefined) onChange([...SCOPE_PRESETS[chosen]])
        }}
      />
      <div className={groups.groups}>
        {SCOPE_GROUPS.map(({ label, scopes }) => (
          <fieldset key={label} className={groups.group} disabled={disabled}>
            <legend className={groups.legend}>{label}</legend>
            {scopes.map((name) => (
              <CheckField
                key={name}
                label={SCOPE_LABELS[name]}
                help={<code className={css.scope}>{name}</code>}
                checked={value.includes(name)}
                onChange={(isChecked) =>
                  onChange(isChecked ? [...value, name] : value.filter((other) => other !== name))
                }
              />
            ))}
          </fieldset>
        ))}
      </div>
    </>
  )
}
