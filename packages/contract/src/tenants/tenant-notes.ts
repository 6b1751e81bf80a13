import * as z from 'zod/mini'
import { endpoint } from '#src/wire/endpoint.ts'
import { anyText, moment, visible } from '#src/wire/text.ts'

/** Maximum number of notes of a tenant. */
export const TENANT_NOTES_MAX = 200
/** Longest note of a tenant. */
export const TENANT_NOTE_MAX = 2_000

/** A note of a member on a tenant. */
export const tenantNote = z.object({
  /** Id of the note. */
  id: z.uuid(),
  /** Id of the tenant. */
  tenant_id: z.uuid(),
  /** Text of the note. */
  text: z.string(),
  /** Id of the author, who alone can change and remove the note. */
  author_id: z.uuid(),
  /** Email address of the author. */
  author_email: z.string(),
  /** When the note was written. */
  created_at: moment,
  /** When the note was last changed. Null for an unchanged note. */
  edited_at: z.nullable(moment),
})
export type TenantNote = z.infer<typeof tenantNote>

/**
 * The text of a note.
 * @example {"text":"Renews in March."}
 */
export const tenantNoteBody = z.strictObject({
  /** Text of the note. */
  text: anyText(TENANT_NOTE_MAX).check(z.trim(), visible('A note needs text.')),
})
export type TenantNoteBody = z.infer<typeof tenantNoteBody>

const url = '/api/v1/admin/tenants/:id/notes'
const tags = ['Notes']
const params = z.strictObject({
  /** Id of the tenant. */
  id: z.uuid(),
})
const noteParams = z.strictObject({
  /** Id of the tenant. */
  id: z.uuid(),
  /** Id of the note. */
  note_id: z.uuid(),
})

/** All notes of a tenant, newest first. */
export const listTenantNotes = endpoint('GET', url, {
  config: { capability: 'view' },
  operationId: 'notes.list',
  summary: 'List the notes of a tenant',
  tags,
  params,
  response: { 200: z.array(tenantNote) },
})

/** 409 for a tenant with 200 notes. */
export const createTenantNote = endpoint('POST', url, {
  config: { capability: 'edit' },
  operationId: 'notes.create',
  summary: 'Add a note to a tenant',
  tags,
  params,
  body: tenantNoteBody,
  response: { 201: tenantNote },
})

/** Changes one of your own notes. 403 for the note of another admin. */
export const updateTenantNote = endpoint('PUT', `${url}/:note_id`, {
  config: { capability: 'edit' },
  operationId: 'notes.update',
  summary: 'Change a note',
  tags,
  params: noteParams,
  body: tenantNoteBody,
  response: { 200: tenantNote },
})

/** Removes one of your own notes. 403 for the note of another admin. */
export const deleteTenantNote = endpoint('DELETE', `${url}/:note_id`, {
  config: { capability: 'edit' },
  operationId: 'notes.delete',
  summary: 'Remove a note',
  tags,
  params: noteParams,
  response: { 204: z.null() },
})
