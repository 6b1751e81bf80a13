import {
  createTenantNote,
  deleteTenantNote,
  listTenantNotes,
  type TenantNote,
  updateTenantNote,
} from '@switchboard/contract/tenants/tenant-notes'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { callOnce } from '#src/lib/call-once.ts'
import { call } from '#src/lib/call.ts'
import { queryClient } from '#src/lib/query-client.ts'

/** The notes of a tenant, newest first. */
export function tenantNotesQuery(id: string) {
  return queryOptions({
    queryKey: ['tenant-notes', id],
    queryFn: ({ signal }) => call(listTenantNotes, { params: { id }, signal }),
  })
}

/** Adds a note to a tenant, or saves the text of a note. */
export function useSaveNote(id: string) {
  return useMutation({
    mutationFn: ({ note, text }: { note: TenantNote | null; text: string }) =>
      note === null
        ? callOnce(createTenantNote, { params: { id }, body: { text } })
        : call(updateTenantNote, { params: { id, note_id: note.id }, body: { text } }),
    onSuccess: (saved) => {
      queryClient.setQueryData(tenantNotesQuery(id).queryKey, (notes = []) =>
        notes.some((note) => note.id === saved.id)
          ? notes.map((note) => (note.id === saved.id ? saved : note))
          : [saved, ...notes],
      )
      // The activity beside the notes shows the change too.
      void queryClient.invalidateQueries()
    },
  })
}

export function useDeleteNote(id: string) {
  return useMutation({
    mutationFn: (note: TenantNote) => call(deleteTenantNote, { params: { id, note_id: note.id } }),
    onSuccess: (_, removed) =>
      queryClient.setQueryData(tenantNotesQuery(id).queryKey, (notes = []) =>
        notes.filter((note) => note.id !== removed.id),
      ),
    onSettled: () => void queryClient.invalidateQueries(),
  })
}
