import { NativeSelect } from '@mantine/core'
import { EVENT_TYPES, type EventType, eventType } from '@switchboard/contract/signals/events'
import { CheckField } from '#src/ui/form/check-field.tsx'
import css from '#src/ui/form/check-groups.module.css'
import type { Control } from '#src/ui/form/use-form-frame.ts'

/** The types by their nouns: `tenant`, `api_key` … */
const GROUPS = [...Map.groupBy(eventType.options, (type) => type.slice(0, type.indexOf('.')))]

/** Which events a webhook gets: every one (null), or some types. */
export function EventTypesField({ value, error, disabled, onChange }: Control<EventType[] | null>) {
  return (
    <>
      <NativeSelect
        label="Events"
        data={[
          { value: 'all', label: 'Every event, also of types that are added later' },
          { value: 'some', label: 'Only some types' },
        ]}
        disabled={disabled}
        error={error}
        value={value === null ? 'all' : 'some'}
        onChange={(event) => onChange(event.currentTarget.value === 'all' ? null : [])}
      />
      {value !== null && (
        <div className={css.groups}>
          {GROUPS.map(([noun, types]) => (
            <fieldset key={noun} className={css.group} disabled={disabled}>
              <legend className={css.legend}>{nounText(noun)}</legend>
              {types.map((type) => (
                <CheckField
                  key={type}
                  label={<code>{type}</code>}
                  help={EVENT_TYPES[type].description}
                  checked={value.includes(type)}
                  onChange={(isChecked) =>
                    onChange(isChecked ? [...value, type] : value.filter((other) => other !== type))
                  }
                />
              ))}
            </fieldset>
          ))}
        </div>
      )}
    </>
  )
}

/** `api_key` is "API key". */
function nounText(noun: string): string {
  return noun
    .replaceAll('_', ' ')
    .replace(/^api\b/, 'API')
    .replace(/^./, (letter) => letter.toUpperCase())
}
