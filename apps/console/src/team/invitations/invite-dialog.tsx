import { NativeSelect } from '@mantine/core'
import { type ConsoleRole, email as emailSchema } from '@switchboard/contract/auth/current-admin'
import { INVITATION_HOURS } from '@switchboard/contract/links'
import { consoleSettings } from '#src/lib/console-settings.ts'
import { notify } from '#src/lib/notify.ts'
import { EmailField } from '#src/ui/form/email-field.tsx'
import { DialogForm } from '#src/ui/form/dialog-form.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { CONSOLE_ROLE_OPTIONS, ROLE_HELP } from './invitation-labels.ts'
import { InvitationLinkDialog } from './invitation-link-dialog.tsx'
import { useInvite } from './invitations.api.ts'

type Draft = { email: string; role: ConsoleRole }
const EMPTY: Draft = { email: '', role: 'support' }

/** Invites a person to run the console: by mail, or by a link that is shown once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const invite = useInvite()
  const form = useFormFrame({
    initialValues: EMPTY,
    validate: ({ email }) => {
      const problem = emailSchema.safeParse(email).error?.issues[0]?.message
      return problem === undefined ? {} : { email: problem }
    },
    send: (values) => invite.mutateAsync(values),
    onSaved: ({ email, link }) => {
      if (link !== null) return
      onClose()
      notify('ok', `The invitation to ${email} is on its way.`)
    },
    failure: 'The invitation could not be made.',
  })
  const { value: role, ...roleControl } = form.control('role')

  if (invite.data && invite.data.link !== null)
    return <InvitationLinkDialog email={invite.data.email} link={invite.data.link} onDone={onClose} />
  return (
    <DialogForm
      title="Invite Person"
      size="md"
      form={form}
      submit={consoleSettings.mail ? 'Send Invitation' : 'Make Link'}
      onClose={onClose}
    >
      <EmailField label="Email" autoComplete="off" data-autofocus {...form.getInputProps('email')} />
      <NativeSelect
        label="Role"
        description={ROLE_HELP[role]}
        data={CONSOLE_ROLE_OPTIONS}
        value={role}
        error={roleControl.error}
        disabled={roleControl.disabled}
        onChange={({ currentTarget }) => {
          const chosen = CONSOLE_ROLE_OPTIONS.find(({ value }) => value === currentTarget.value)
          if (chosen) roleControl.onChange(chosen.value)
        }}
      />
      <p>
        {consoleSettings.mail
          ? `The person gets a mail with a link that works once and for ${INVITATION_HOURS} hours.`
          : `This server sends no mail: you get a link to pass on. It works once and for ${INVITATION_HOURS} hours.`}
      </p>
    </DialogForm>
  )
}
