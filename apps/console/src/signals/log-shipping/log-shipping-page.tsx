import { Button } from '@mantine/core'
import { type LogSink, LOG_SINKS_MAX } from '@switchboard/contract/signals/log-sinks'
import { IconEdit, IconKey, IconPlayerPause, IconPlayerPlay, IconPlus, IconSend, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { failureText } from '#src/lib/call-error.ts'
import { useCan } from '#src/lib/can.ts'
import { counted } from '#src/lib/format/count.ts'
import { fullText, monthText, timeText } from '#src/lib/format/moment.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { notify } from '#src/lib/notify.ts'
import { ConfirmDelete } from '#src/ui/dialog/confirm-delete.tsx'
import { Announcement } from '#src/ui/notice/announcement.tsx'
import { Notice } from '#src/ui/notice/notice.tsx'
import { EmptyState, LoadError } from '#src/ui/page/empty-state.tsx'
import { Page } from '#src/ui/page/page.tsx'
import type { Action } from '#src/ui/table/action.ts'
import { DataTable } from '#src/ui/table/data-table.tsx'
import { problemText } from './log-sink-labels.ts'
import { LOG_SINK_COLUMNS, LogSinkPhoneRow } from './log-sinks-table.tsx'
import { useDeleteLogSink, useUpdateLogSink, watchedLogShippingQuery } from './log-shipping.api.ts'

const CreateLogSinkDialog = lazyPart(() =>
  import('./create-log-sink-dialog.tsx').then((code) => code.CreateLogSinkDialog),
)
const EditLogSinkDialog = lazyPart(() => import('./edit-log-sink-dialog.tsx').then((code) => code.EditLogSinkDialog))
const TestLogSinkDialog = lazyPart(() => import('./test-log-sink-dialog.tsx').then((code) => code.TestLogSinkDialog))
const PublicKeyDialog = lazyPart(() => import('./public-key-dialog.tsx').then((code) => code.PublicKeyDialog))

type Open = { kind: 'none' } | { kind: 'create' } | { kind: 'edit' | 'test' | 'key' | 'delete'; sink: LogSink }

/** Log shipping: the sinks that get the audit log, with their positions. */
export function LogShippingPage() {
  const shipping = useQuery(watchedLogShippingQuery)
  const update = useUpdateLogSink()
  const mayChange = useCan('signals')
  const [open, setOpen] = useState<Open>({ kind: 'none' })
  const close = () => setOpen({ kind: 'none' })
  const count = shipping.data?.sinks.length
  const deletedUntil = shipping.data?.deleted_until ?? null
  const newSink = mayChange && (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      onPointerEnter={() => void CreateLogSinkDialog.preload()}
      onClick={() => setOpen({ kind: 'create' })}
    >
      New Log Sink
    </Button>
  )

  function setOn({ id, name }: LogSink, is_on: boolean) {
    update.mutate(
      { id, version: null, body: { is_on } },
      {
        onSuccess: () => notify('ok', `${name} is ${is_on ? 'on' : 'off'}.`),
        onError: (error) => notify('bad', failureText(error, `${name} could not be switched ${is_on ? 'on' : 'off'}.`)),
      },
    )
  }

  function actionsOf(sink: LogSink): Action[] {
    return [
      { label: 'Edit', Icon: IconEdit, capability: 'signals', onSelect: () => setOpen({ kind: 'edit', sink }) },
      {
        label: 'Send Test Record',
        Icon: IconSend,
        capability: 'signals',
        onSelect: () => setOpen({ kind: 'test', sink }),
      },
      ...(sink.public_key === null
        ? []
        : [
            {
              label: 'Public Key',
              Icon: IconKey,
              capability: 'view' as const,
              onSelect: () => setOpen({ kind: 'key', sink }),
            },
          ]),
      {
        id: 'switch',
        label: sink.is_on ? 'Switch Off' : 'Switch On',
        Icon: sink.is_on ? IconPlayerPause : IconPlayerPlay,
        capability: 'signals',
        onSelect: () => setOn(sink, !sink.is_on),
      },
      {
        label: 'Delete',
        Icon: IconTrash,
        capability: 'signals',
        danger: true,
        onSelect: () => setOpen({ kind: 'delete', sink }),
      },
    ]
  }

  return (
    <Page
      title="Log shipping"
      subtitle={
        count === LOG_SINKS_MAX
          ? `There can be ${LOG_SINKS_MAX} log sinks. Delete one to add another.`
          : 'Places outside the database that get every entry of the audit log, in order'
      }
      action={count !== undefined && count > 0 && count < LOG_SINKS_MAX && newSink}
    >
      <Announcement>{count === undefined ? 'Loading log sinks...' : counted(count, 'log sink')}</Announcement>
      <div className="stack">
        {shipping.data?.sinks.map((sink) => (
          <Problem key={sink.id} sink={sink} />
        ))}
        {shipping.isLoadingError ? (
          <LoadError title="The log sinks could not be loaded" queries={[shipping]} />
        ) : count === 0 ? (
          <EmptyState
            title="No log sinks yet"
            help="A log sink gets the audit log as it is written: a collector, a syslog server, or signed daily files."
            action={newSink}
          />
        ) : (
          <DataTable
            label="Log sinks"
            columns={LOG_SINK_COLUMNS}
            rows={shipping.data?.sinks}
            rowId={({ id }) => id}
            nameOf={({ name }) => name}
            actionsOf={actionsOf}
            renderPhoneRow={(sink) => <LogSinkPhoneRow sink={sink} />}
          />
        )}
      </div>
      {deletedUntil !== null && (
        <p className="note">
          The audit log here begins after {monthText(deletedUntil)} (UTC). Earlier months were deleted after each log
          sink had received them.
        </p>
      )}
      <Suspense>
        {open.kind === 'create' && <CreateLogSinkDialog onClose={close} />}
        {open.kind === 'edit' && <EditLogSinkDialog sink={open.sink} onClose={close} />}
        {open.kind === 'test' && <TestLogSinkDialog id={open.sink.id} onClose={close} />}
        {open.kind === 'key' && <PublicKeyDialog publicKey={open.sink.public_key ?? ''} onClose={close} />}
        {open.kind === 'delete' && <DeleteLogSink sink={open.sink} onClose={close} />}
      </Suspense>
    </Page>
  )
}

/** Why a log sink does not get the log, in full. */
function Problem({ sink }: { sink: LogSink }) {
  const problem = problemText(sink)
  if (problem === null) return null
  return (
    <Notice tone="warn">
      <strong dir="auto">{sink.name}</strong>: {problem}
      {sink.failing_since !== null && (
        <>
          {' '}
          Failing since{' '}
          <time dateTime={sink.failing_since} data-tooltip={fullText(sink.failing_since)}>
            {timeText(sink.failing_since)}
          </time>
          , tried again every few minutes.
        </>
      )}
    </Notice>
  )
}

function DeleteLogSink({ sink, onClose }: { sink: LogSink; onClose: () => void }) {
  const deletion = useDeleteLogSink()
  return (
    <ConfirmDelete
      title="Delete Log Sink"
      failure="Failed to delete log sink."
      success={`${sink.name} was deleted.`}
      onDelete={() => deletion.mutateAsync(sink)}
      onClose={onClose}
    >
      <p>
        Delete <strong dir="auto">{sink.name}</strong>? It gets nothing more, and no longer holds back the deletion of
        old months. What it has received stays there.
        {sink.public_key !== null && ' Copy its public key first: it is deleted too.'} This cannot be undone.
      </p>
    </ConfirmDelete>
  )
}
