import { Notice } from '#src/components/notice.tsx'
import type { PassingMessage } from './use-passing-message.ts'

/** Above the fields of a form, for as long as it lasts. */
export function FormMessage({ message }: { message: PassingMessage }) {
  if (message.kind === 'none') return null
  return <Notice tone={message.kind === 'done' ? 'ok' : 'bad'}>{message.text}</Notice>
}
