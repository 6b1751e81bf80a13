import { Button } from '@mantine/core'
import type { LogSink } from '@switchboard/contract/signals/log-sinks'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#src/lib/call-error.ts'
import { Dialog, DialogFooter, DialogMain, DialogText } from '#src/ui/dialog/dialog.tsx'
import { Notice } from '#src/ui/notice/notice.tsx'
import { isTesting, useTestLogSink, watchedLogShippingQuery } from './log-shipping.api.ts'

/** Sends a test record to a log sink, and shows what the worker reports. */
export function TestLogSinkDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const shipping = useQuery(watchedLogShippingQuery)
  const test = useTestLogSink()
  const sink = shipping.data?.sinks.find((each) => each.id === id)
  const isWaiting = test.isPending || (test.isSuccess && sink !== undefined && isTesting(sink))
  return (
    <Dialog title="Send Test Record" onClose={onClose}>
      <DialogMain>
        <DialogText>
          <p>
            A worker sends one record to <strong dir="auto">{sink?.name}</strong> that says that it is a test. The
            position stays as it is.
          </p>
          {test.isError && <Notice tone="bad">{messageOf(test.error, 'The test could not be started.')}</Notice>}
          {isWaiting && (
            <Notice tone="info">
              Waiting for a worker{sink?.kind === 'file' ? ' with AUDIT_FILES' : ''}. It answers within about ten
              seconds.
            </Notice>
          )}
          {test.isSuccess && !isWaiting && sink !== undefined && <Result sink={sink} />}
        </DialogText>
      </DialogMain>
      <DialogFooter>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button loading={isWaiting} data-autofocus onClick={() => test.mutate({ id })}>
          Send
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

function Result({ sink: { kind, test_problem } }: { sink: LogSink }) {
  if (test_problem !== null) return <Notice tone="bad">The test failed. {test_problem}</Notice>
  return (
    <Notice tone="ok">
      {kind === 'file'
        ? 'The worker has written and signed test.json in its folder.'
        : 'The record was received. Look for it there under the name "test".'}
    </Notice>
  )
}
