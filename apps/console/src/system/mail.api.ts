import { sendTestMail } from '@switchboard/contract/mail'
import { useMutation } from '@tanstack/react-query'
import { failureText } from '#src/lib/call-error.ts'
import { call } from '#src/lib/call.ts'
import { notify } from '#src/lib/notify.ts'

/** Sends a test mail to the admin's own address and reports the result. */
export function useSendTestMail() {
  return useMutation({
    mutationFn: () => call(sendTestMail, {}),
    onSuccess: ({ email }) => void notify('ok', `The mail server took a test mail to ${email}.`),
    onError: (error) => void notify('bad', failureText(error, 'The test mail could not be sent.')),
  })
}
