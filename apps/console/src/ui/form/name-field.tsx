import { TextInput, type TextInputProps } from '@mantine/core'
import { PERSON_NAME_MAX } from '@switchboard/contract/auth/person-name'

/** The name of a person, which may stay empty. */
export function NameField(props: TextInputProps) {
  return <TextInput label="Name" placeholder="Optional" maxLength={PERSON_NAME_MAX} autoComplete="off" {...props} />
}
