import type { FormErrors } from '@mantine/form'
import type { Tenant } from '@switchboard/contract/tenants'
import { CUSTOM_FIELDS_MAX, fieldNameProblem } from '@switchboard/contract/tenants/custom-fields'
import { tags, tagsIn } from '@switchboard/contract/tenants/tags'

export type Details = Pick<Tenant, 'tags' | 'custom_fields'>

/** The details of a tenant in a form: the tags as typed, and a row for each custom field. */
export type DetailsDraft = { tags: string; fields: { name: string; value: string }[] }

export function draftOf(tenant: Details): DetailsDraft {
  return { tags: tenant.tags.join(', '), fields: fieldsOf(tenant) }
}

/** The custom fields by name. */
export function fieldsOf({ custom_fields }: Pick<Tenant, 'custom_fields'>): DetailsDraft['fields'] {
  const fields = Object.entries(custom_fields).map(([name, value]) => ({ name, value }))
  return fields.toSorted((one, other) => one.name.localeCompare(other.name))
}

/** The details to save. A row without a name and a value is left out. */
export function detailsOf(draft: DetailsDraft): Details {
  const fields = draft.fields.filter((field) => !isBlank(field)).map(({ name, value }) => [name.trim(), value] as const)
  return { tags: tagsIn(draft.tags), custom_fields: Object.fromEntries(fields) }
}

/** The problems of a draft, by input. */
export function detailsErrors(draft: DetailsDraft): FormErrors {
  const errors: FormErrors = {}
  const tagProblem = tags.safeParse(tagsIn(draft.tags)).error?.issues[0]?.message
  if (tagProblem !== undefined) errors['tags'] = tagProblem
  const seen = new Set<string>()
  for (const [at, field] of draft.fields.entries()) {
    const name = field.name.trim()
    const problem = isBlank(field) ? null : seen.has(name) ? 'This name is used above.' : fieldNameProblem(name)
    if (problem !== null) errors[`fields.${at}.name`] = problem
    seen.add(name)
  }
  if (draft.fields.filter((field) => !isBlank(field)).length > CUSTOM_FIELDS_MAX)
    errors[''] = `A tenant can have ${CUSTOM_FIELDS_MAX} custom fields.`
  return errors
}

function isBlank({ name, value }: DetailsDraft['fields'][number]): boolean {
  return name.trim() === '' && value === ''
}
