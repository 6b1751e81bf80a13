import { Notice } from '#src/ui/page/notice.tsx'
import { SubmitButton } from '#src/ui/form/submit-button.tsx'
import css from './account.module.css'
import type { PassingMessage } from './use-passing-message.ts'

type Props = { button: string; loading: boolean; message: PassingMessage }

/** The button of a form and, beside it or below, what became of it: what stands above stays where it is. */
export function FormEnd({ button, loading, message }: Props) {
  return (
    <div className={css.end}>
      <SubmitButton loading={loading}>{button}</SubmitButton>
      {message.kind !== 'none' && (
        <div className={css.result}>
          <Notice tone={message.kind === 'done' ? 'ok' : 'bad'}>{message.text}</Notice>
        </div>
      )}
    </div>
  )
}
