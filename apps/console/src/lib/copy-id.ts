import { notify } from './notify.ts'

/** Copies the id of a record, and reports the result. `name` names the record. */
export async function copyRecordId(id: string, name: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(id)
    notify('ok', `The ID of ${name} was copied.`)
  } catch {
    // The clipboard needs a secure context and the user's permission.
    notify('bad', `Copying is not allowed here. The ID of ${name} is ${id}.`)
  }
}
