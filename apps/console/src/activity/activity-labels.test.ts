import { expect, test } from 'vitest'
import { actorText } from './actor-labels.ts'
import { sentenceText } from './activity-labels.ts'

const row = {
  outcome: 'done',
  changed: {},
  target_type: 'tenant',
  target_id: null,
  target_name: 'Harbor Dental',
} as const

const sentences: [Parameters<typeof sentenceText>[0], string][] = [
  [{ ...row, action: 'tenants.create' }, 'Created the tenant Harbor Dental'],
  [{ ...row, action: 'tenants.update', changed: { goal: null } }, 'Changed the goal of tenant Harbor Dental'],
  [
    { ...row, action: 'tenants.update', changed: { goal: null, tenant_type: null, name: null } },
    'Changed the goal, business type, and name of tenant Harbor Dental',
  ],
  [
    { ...row, action: 'tenants.update', changed: { status: 'inactive', suspension_reason: null } },
    'Suspended the tenant Harbor Dental',
  ],
  [{ ...row, action: 'tenants.update', changed: { status: 'active' } }, 'Reactivated the tenant Harbor Dental'],
  [{ ...row, action: 'tenants.delete', outcome: 'refused' }, 'Could not delete the tenant Harbor Dental'],
  [{ ...row, action: 'tenants.create', outcome: 'refused', target_name: null }, 'Could not create a tenant'],
  [{ ...row, action: 'api_keys.create', outcome: 'refused', target_name: null }, 'Could not generate an API key'],
  [
    { ...row, action: 'tenants.delete', target_name: null, target_id: '0a1b2c3d-0000-4000-8000-000000000000' },
    'Deleted the tenant 0a1b2c3d',
  ],
  [
    { ...row, action: 'users.toggle', changed: { is_active: false }, target_name: 'a@b.c' },
    'Deactivated the user a@b.c',
  ],
  [{ ...row, action: 'api_keys.toggle', changed: { is_active: true } }, 'Activated the API key Harbor Dental'],
  [{ ...row, action: 'tasks.update', changed: { is_paused: true } }, 'Paused the task Harbor Dental'],
  [
    { ...row, action: 'tasks.delete', target_name: 'Corner Bakery, 12 High St for Harbor Dental' },
    'Deleted the task Corner Bakery, 12 High St for Harbor Dental',
  ],
  [
    { ...row, action: 'users.create', outcome: 'refused', target_type: 'user', target_name: 'a@b.c' },
    'Could not create the user a@b.c',
  ],
  [{ ...row, action: 'api_keys.rotate', changed: { grace_ends_at: null } }, 'Rotated the API key Harbor Dental'],
  [{ ...row, action: 'api_keys.rotate', changed: { rotated_from: null } }, 'Rotated to the API key Harbor Dental'],
  [{ ...row, action: 'auth.login', target_name: null }, 'Signed in'],
  [{ ...row, action: 'auth.login', outcome: 'refused', target_name: null }, 'Could not sign in'],
  [{ ...row, action: 'auth.profile', changed: { password: null } }, 'Changed their own password'],
  [{ ...row, action: 'super_admins.first', target_name: 'a@b.c' }, 'Created the first super admin a@b.c'],
  [
    { ...row, action: 'prompts.save', target_type: 'prompt', target_name: 'general' },
    'Published a new version of the template general',
  ],
  [
    { ...row, action: 'prompts.restore', target_type: 'addendum' },
    'Restored an old version of the addendum of Harbor Dental',
  ],
  [{ ...row, action: 'moons.land' }, 'moons.land Harbor Dental'],
]
test.for(sentences)('%o is "%s"', ([fields, sentence]) => {
  expect(sentenceText(fields)).toBe(sentence)
})

test.for([
  ['ada@example.com', 'ada@example.com'],
  ['command line', 'Command line'],
  [null, 'Unknown'],
] as const)('the actor %s is shown as %s', ([actor_email, text]) => {
  expect(actorText({ actor_email })).toBe(text)
})
