import type { RunAnswer } from '#src/runs.ts'

const MESSAGE_MAX = 1_000

/** Translates the report of an AI API to an outcome and a message. The message may be empty. */
export function reportedRun(answer: RunAnswer): { outcome: 'executed' | 'running' | 'failed'; message: string } {
  const { status, success, execution_status, message } = 'result' in answer ? answer.result : answer
  // Each of the three fields can report success.
  const isExecuted = status === 'success' || success === true || execution_status === 'executed'
  const isRunning = status === 'running' || execution_status === 'running'
  return {
    outcome: isExecuted ? 'executed' : isRunning ? 'running' : 'failed',
    message: (message ?? '').slice(0, MESSAGE_MAX),
  }
}
