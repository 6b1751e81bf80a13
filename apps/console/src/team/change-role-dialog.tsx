import { NativeSelect } from '@mantine/core'
import { type Member, staleMember } from '@switchboard/contract/team'
import { notify } from '#src/lib/notify.ts'
import { DialogForm } from '#src/ui/form/dialog-form.tsx'
import { type ComparedField, differences } from '#src/ui/form/differences.ts'
import { RecordConflict } from '#src/ui/form/record-conflict.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { ROLE_LABELS } from '#src/users/role-labels.ts'
import { EndingAccess } from './ending-access.tsx'
import { MEMBER_ROLES } from './member-labels.ts'
import { useUpdateMember } from './team.api.ts'

type Draft = Pick<Member, 'role'>

const FIELDS: ComparedField<Draft>[] = [{ label: 'Role', text: ({ role }) => ROLE_LABELS[role] }]

/** Changes the role of a member, over the version that the dialog was opened with. */
export function ChangeRoleDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const update = useUpdateMember()
  const form = useFormFrame({
    initialValues: { role: member.role },
    record: member,
    about: { id: member.id, noun: 'member' },
    stale: staleMember,
    send: async ({ role }: Draft, latest) => {
      const before = latest ?? member
      return { before, saved: await update.mutateAsync({ member: before, body: { role } }) }
    },
    onSaved: ({ before, saved }) => {
      onClose()
      const text = `${saved.email} has the role ${ROLE_LABELS[saved.role]}.`
      if (before.role === saved.role) return notify('ok', text, { about: saved.id })
      return notify('ok', text, {
        about: saved.id,
        onUndo: async () => {
          await update.mutateAsync({ member: saved, body: { role: before.role } })
          return `${saved.email} has the role ${ROLE_LABELS[before.role]} again.`
        },
      })
    },
    failure: 'Failed to change the role.',
  })

  return (
    <DialogForm title="Change Role" form={form} submit="Change Role" submitting="Changing..." onClose={onClose}>
      <RecordConflict
        form={form}
        draftOf={({ role }) => ({ role })}
        differencesTo={(saved) => differences(FIELDS, saved, form.values)}
      />
      <p>
        The role of <strong>{member.email}</strong> changes with the next click of that person. Open sessions continue.
      </p>
      <NativeSelect
        label="Role"
        description={MEMBER_ROLES.find(({ value }) => value === form.values.role)?.help}
        data={MEMBER_ROLES.map(({ value, label }) => ({ value, label }))}
        data-autofocus
        {...form.getInputProps('role')}
      />
      {form.values.role !== 'super_admin' && <EndingAccess memberId={member.id} keepsSessions />}
    </DialogForm>
  )
}
