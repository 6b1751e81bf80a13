import { ActionIcon, Button, TextInput, type TextInputProps } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import css from './name-value-rows.module.css'
import type { NameValue } from './name-values.ts'

type Props = {
  legend: string
  /** What a row is, for the labels: "field". */
  noun: string
  /** What the value of a row is, for its label: "Value". */
  valueLabel: string
  rows: readonly NameValue[]
  nameMax: number
  valueMax: number
  disabled?: boolean
  /** Value, error and handlers of an input. */
  input: (at: number, part: keyof NameValue) => TextInputProps
  onAdd: () => void
  onRemove: (at: number) => void
}

/** Named values in rows that can be added and removed. */
export function NameValueRows({ legend, noun, rows, disabled = false, onAdd, ...row }: Props) {
  return (
    <fieldset className={css.rows}>
      <legend className={css.legend}>{legend}</legend>
      {rows.map(({ name }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a row has no identity but its place
        <Row key={at} {...{ at, name, noun, disabled, ...row }} />
      ))}
      <div>
        <Button
          variant="default"
          size="compact-md"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={disabled}
          onClick={onAdd}
        >
          Add {noun.replace(/^./, (letter) => letter.toUpperCase())}
        </Button>
      </div>
    </fieldset>
  )
}

type RowProps = Required<Omit<Props, 'legend' | 'rows' | 'onAdd'>> & { at: number; name: string }

function Row({ at, name, noun, valueLabel, nameMax, valueMax, disabled, input, onRemove }: RowProps) {
  return (
    <div className={css.row}>
      <TextInput
        aria-label={`Name of ${noun} ${at + 1}`}
        placeholder="Name"
        maxLength={nameMax}
        autoCapitalize="none"
        spellCheck={false}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that adds a row leads to the new row
        autoFocus={name === ''}
        {...input(at, 'name')}
      />
      <TextInput
        aria-label={`${valueLabel} of ${noun} ${at + 1}`}
        placeholder={valueLabel}
        maxLength={valueMax}
        {...input(at, 'value')}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        size={32}
        aria-label={`Remove ${noun} ${name || at + 1}`}
        data-tooltip="Remove"
        disabled={disabled}
        onClick={() => onRemove(at)}
      >
        <IconTrash size={16} stroke={1.75} aria-hidden />
      </ActionIcon>
    </div>
  )
}
