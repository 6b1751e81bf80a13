import type { FormErrors } from '@mantine/form'
import { type Tenant, updateTenantBody } from '@switchboard/contract/tenants'
import { CUSTOM_FIELDS_MAX, fieldNameProblem } from '@switchboard/contract/tenants/custom-fields'
import { tags, tagsIn } from '@switchboard/contract/tenants/tags'
import { filled, nameProblems, type NameValue, rowsOf, valuesOf } from '#src/ui/form/name-values.ts'

export type Details = Pick<Tenant, 'external_id' | 'tags' | 'custom_fields'>

/** The details of a tenant in a form: external id and tags as typed, and a row for each custom field. */
export type DetailsDraft = { external_id: string; tags: string; fields: NameValue[] }

export function draftOf(tenant: Details): DetailsDraft {
  return { external_id: tenant.external_id ?? '', tags: tenant.tags.join(', '), fields: fieldsOf(tenant) }
}

/** The custom fields by name. */
export function fieldsOf({ custom_fields }: Pick<Tenant, 'custom_fields'>): DetailsDraft['fields'] {
  return rowsOf(custom_fields)
}

/** The details to save. */
export function detailsOf(draft: DetailsDraft): Details {
  const external_id = draft.external_id.trim() || null
  return { external_id, tags: tagsIn(draft.tags), custom_fields: valuesOf(draft.fields) }
}

/** The problems of a draft, by input. */
export function detailsErrors(draft: DetailsDraft): FormErrors {
  const errors: FormErrors = {}
  const idProblem = updateTenantBody.shape.external_id.safeParse(draft.external_id.trim() || null).error?.issues[0]
    ?.message
  if (idProblem !== undefined) errors['external_id'] = idProblem
  const tagProblem = tags.safeParse(tagsIn(draft.tags)).error?.issues[0]?.message
  if (tagProblem !== undefined) errors['tags'] = tagProblem
  for (const [at, problem] of nameProblems(draft.fields, fieldNameProblem).entries())
    if (problem !== null) errors[`fields.${at}.name`] = problem
  if (filled(draft.fields).length > CUSTOM_FIELDS_MAX)
    errors[''] = `A tenant can have ${CUSTOM_FIELDS_MAX} custom fields.`
  return errors
}
