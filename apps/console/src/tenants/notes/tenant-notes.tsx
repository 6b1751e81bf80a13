import { Button } from '@mantine/core'
import type { TenantNote } from '@switchboard/contract/tenants/tenant-notes'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { shortActorText } from '#src/activity/actor-labels.ts'
import { useCan } from '#src/lib/can.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { useSession } from '#src/lib/session.ts'
import { Section } from '#src/ui/card/section.tsx'
import { LoadError } from '#src/ui/page/empty-state.tsx'
import { SkeletonItems } from '#src/ui/page/skeleton-items.tsx'
import { RelativeTime } from '#src/ui/time/relative-time.tsx'
import { tenantNotesQuery } from './tenant-notes.api.ts'
import css from './tenant-notes.module.css'

const NoteForm = lazyPart(() => import('./note-form.tsx').then((code) => code.NoteForm))
const DeleteNoteDialog = lazyPart(() => import('./delete-note-dialog.tsx').then((code) => code.DeleteNoteDialog))

type Open = { kind: 'none' | 'new' } | { kind: 'edit' | 'delete'; note: TenantNote }
const NONE: Open = { kind: 'none' }

/** The notes on a tenant, newest first. Only its author changes or removes a note. */
export function TenantNotes({ tenantId }: { tenantId: string }) {
  const notes = useQuery(tenantNotesQuery(tenantId))
  const [open, setOpen] = useState<Open>(NONE)
  const canEdit = useCan('edit')
  const addButton = useRef<HTMLButtonElement>(null)

  function close() {
    flushSync(() => setOpen(NONE))
    addButton.current?.focus()
  }

  return (
    <Section
      title="Notes"
      action={
        canEdit && (
          <Button
            ref={addButton}
            variant="transparent"
            size="compact-sm"
            px={0}
            disabled={open.kind === 'new' || open.kind === 'edit'}
            onPointerEnter={() => void NoteForm.preload?.()}
            onClick={() => setOpen({ kind: 'new' })}
          >
            Add Note
          </Button>
        )
      }
    >
      {notes.isLoadingError ? (
        <LoadError plain title="The notes could not be loaded" queries={[notes]} />
      ) : notes.data === undefined ? (
        <SkeletonItems text="Loading notes..." count={1} />
      ) : (
        <>
          <Suspense>{open.kind === 'new' && <NoteForm tenantId={tenantId} note={null} onClose={close} />}</Suspense>
          {notes.data.length > 0 && (
            <ul className="stack" aria-label="Notes">
              {notes.data.map((note) => (
                <li key={note.id}>
                  {open.kind === 'edit' && open.note.id === note.id ? (
                    <Suspense>
                      <NoteForm tenantId={tenantId} note={note} onClose={close} />
                    </Suspense>
                  ) : (
                    <Note note={note} onOpen={setOpen} />
                  )}
                </li>
              ))}
            </ul>
          )}
        </>
      )}
      <Suspense>
        {open.kind === 'delete' && (
          <DeleteNoteDialog note={open.note} onDeleted={close} onClose={() => setOpen(NONE)} />
        )}
      </Suspense>
    </Section>
  )
}

function Note({ note, onOpen }: { note: TenantNote; onOpen: (open: Open) => void }) {
  const session = useSession()
  const canEdit = useCan('edit')
  const isOwn = session.kind === 'authenticated' && session.admin.id === note.author_id
  return (
    <>
      <p className={css.text} dir="auto">
        {note.text}
      </p>
      <p className={css.about}>
        <bdi data-tooltip={note.author_email}>{shortActorText(note.author_email)}</bdi> ·{' '}
        <RelativeTime moment={note.created_at} />
        {note.edited_at !== null && ' · edited'}
        {isOwn && canEdit && (
          <span className={css.actions}>
            <Button variant="subtle" color="gray" size="compact-xs" onClick={() => onOpen({ kind: 'edit', note })}>
              Edit
            </Button>
            <Button variant="subtle" color="gray" size="compact-xs" onClick={() => onOpen({ kind: 'delete', note })}>
              Remove
            </Button>
          </span>
        )}
      </p>
    </>
  )
}
