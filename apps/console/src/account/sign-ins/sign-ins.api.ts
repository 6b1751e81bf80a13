import { dismissNewSignIn, listNewSignIns, listSignIns, type NewSignIn } from '@switchboard/contract/auth/sign-ins'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/lib/call.ts'
import { momentText } from '#src/lib/format/moment.ts'
import { notify } from '#src/lib/notify.ts'
import { untilSessionEnds } from '#src/lib/session.ts'

/** The last sign-ins to the caller's account. */
export const signInsQuery = queryOptions({
  queryKey: ['sign-ins'],
  queryFn: ({ signal }) => call(listSignIns, { signal }),
})

/** Shows a notification for each sign-in from a new network or browser, until it is dismissed. */
export async function tellOfNewSignIns(): Promise<void> {
  const signIns = await call(listNewSignIns, { signal: untilSessionEnds() })
  for (const signIn of signIns.toReversed()) tellOf(signIn)
}

function tellOf({ id, device, address, at, mail_state, mail_problem }: NewSignIn): void {
  const mail = mail_state === 'failed' ? ` The mail about it was not sent. ${mail_problem ?? ''}` : ''
  const text = `New sign-in from ${device}, ${address}, ${momentText(at)}. Not you? Change your password.${mail}`
  notify('bad', text, {
    about: id,
    onDismiss: () => {
      // Without an answer, the next page load shows the notification again.
      call(dismissNewSignIn, { params: { id } }).catch((error: unknown) =>
        console.warn('The notice could not be dismissed.', error),
      )
    },
  })
}
